// The charts: only what the page draws, from ECharts; and the layout of graphs, from dagre.
import * as core from 'echarts/core';
import { LineChart, BarChart, CustomChart, BoxplotChart, ScatterChart } from 'echarts/charts';
import {
  TooltipComponent, LegendComponent, GridComponent, DataZoomComponent, ToolboxComponent,
  MarkLineComponent, MarkAreaComponent, AriaComponent,
} from 'echarts/components';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import dagre from '@dagrejs/dagre';

core.use([LineChart, BarChart, CustomChart, BoxplotChart, ScatterChart, TooltipComponent, LegendComponent, GridComponent, DataZoomComponent,
  ToolboxComponent, MarkLineComponent, MarkAreaComponent, AriaComponent, CanvasRenderer, SVGRenderer]);

const shown = value => value == null || Number.isNaN(value) ? '–' : Number(value.toPrecision(4)).toLocaleString('en');

// Charts that have something to draw. All four at once take longer than a frame, so each frame draws as many as fit into its share of
// milliseconds, and at least one; what a chart was told before it came to its turn is dropped.
const share = 5;
const due = new Set();
let turn = 0;
function takeTurns() {
  turn = 0;
  const began = performance.now();
  for (const chart of due) {
    due.delete(chart);
    chart.catchUp();
    if (performance.now() - began > share) break;
  }
  if (due.size) turn = requestAnimationFrame(takeTurns);
}

/** A chart in `host` that keeps its size; `onPick(second)` is called when a second is clicked. */
export function chart(host, group, onPick) {
  // The wheel scrolls the page, over a chart too; with Ctrl, or two fingers, it zooms. ECharts would keep every turn to itself.
  for (const wheel of ['wheel', 'mousewheel']) host.addEventListener(wheel, e => { if (!e.ctrlKey) e.stopPropagation(); }, { capture: true, passive: true });
  const c = core.init(host, null, { renderer: 'canvas' });
  c.group = group;
  core.connect(group);
  new ResizeObserver(() => c.resize({ animation: { duration: 0 } })).observe(host);
  c.getZr().on('click', e => {
    const at = c.convertFromPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]);
    if (c.containPixel({ gridIndex: 0 }, [e.offsetX, e.offsetY]) && at) onPick(Math.max(0, Math.round(at[0])));
  });
  c.getZr().on('dblclick', () => c.dispatchAction({ type: 'dataZoom', start: 0, end: 100 }));
  let option, numbers;
  const self = {
    catchUp() {
      due.delete(self);
      if (option !== undefined) {
        const o = JSON.parse(option);
        Object.assign(o.tooltip, { confine: true, valueFormatter: shown });
        for (const zoom of o.dataZoom) zoom.preventDefaultMouseMove = false; // a finger scrolls the page
        c.setOption(o, { notMerge: true, lazyUpdate: true });
      }
      if (numbers !== undefined) c.setOption(JSON.parse(numbers));
      option = numbers = undefined;
    },
  };
  return {
    /** A new option: what is drawn changes; the numbers follow. */
    draw(json) { option = json; },
    /** New numbers for what is drawn. */
    update(json) {
      numbers = json;
      due.add(self);
      turn ||= requestAnimationFrame(takeTurns);
    },
    png(background) {
      self.catchUp();
      return c.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: background, excludeComponents: ['toolbox'] });
    },
    svg() {
      self.catchUp();
      const s = core.init(null, null, { renderer: 'svg', ssr: true, width: c.getWidth(), height: c.getHeight() });
      s.setOption(c.getOption());
      const text = s.renderToSVGString();
      s.dispose();
      return text;
    },
  };
}

/** Places nodes [{id, width, height}] and edges [{from, to}] in layers, left to right, with the gaps and the room for the label {width, height} of an edge that are asked for; JSON in and out. */
export function layout(json) {
  const { nodes, edges, nodeGap, edgeGap, rankGap, label } = JSON.parse(json);
  const g = new dagre.graphlib.Graph({ multigraph: true });
  g.setGraph({ rankdir: 'LR', nodesep: nodeGap, edgesep: edgeGap, ranksep: rankGap, marginx: 8, marginy: 12 });
  g.setDefaultEdgeLabel(() => ({}));
  for (const n of nodes) g.setNode(n.id, { width: n.width, height: n.height });
  edges.forEach((e, i) => g.setEdge(e.from, e.to, { ...label, labelpos: 'c' }, String(i)));
  dagre.layout(g);
  const placed = g.graph();
  return JSON.stringify({
    width: placed.width, height: placed.height,
    nodes: nodes.map(n => { const { x, y } = g.node(n.id); return { x, y }; }),
    edges: edges.map((e, i) => { const d = g.edge(e.from, e.to, String(i)); return { points: d.points, x: d.x, y: d.y }; }),
  });
}

export { list } from './list.mjs';
export const version = core.version;
