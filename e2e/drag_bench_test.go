package e2e

import (
	"encoding/json"
	"testing"
)

// BenchmarkDrag drags a slider of the first example, 150,000 calls, and reports how the page keeps
// up: frames in a second while it moves in every frame, and, for single steps, the time to the first
// and to the last thing on screen that shows the new result. It measures what is in dist (make build).
func BenchmarkDrag(b *testing.B) {
	p := open(b, 1440, 1000, "")
	const slider = `document.querySelector('input[type=range][data-path="dependency.impairments[0].brownout.slower"]')`
	p.until(`!!` + slider)
	var m struct{ Fps, LongFrame, First, Last, LastMost float64 }
	for b.Loop() {
		text := p.text(`(async () => {
			const s = ` + slider + `, frame = () => new Promise(requestAnimationFrame), pause = ms => new Promise(r => setTimeout(r, ms));
			const set = v => { s.value = String(v); s.dispatchEvent(new Event('input', { bubbles: true })); };
			const middle = a => a.sort((x, y) => x - y)[a.length >> 1];
			s.focus();
			for (let i = 0; i < 40; i++) { set(100 + i); await pause(100); } // until the engine is warm
			const frames = [];
			let before = await frame();
			for (let i = 0; i < 180; i++) {
				set(100 + i % 60);
				const now = await frame();
				frames.push(now - before);
				before = now;
			}
			await pause(1500);
			const first = [], last = [], painted = new Map(), clear = CanvasRenderingContext2D.prototype.clearRect;
			CanvasRenderingContext2D.prototype.clearRect = function (...at) { // a chart begins to draw
				painted.set(this.canvas, performance.now());
				return clear.apply(this, at);
			};
			const plots = [...document.querySelectorAll('.plot')], fresh = () => plots.filter(e => [...e.querySelectorAll('canvas')].some(c => painted.has(c)));
			for (let i = 0; i < 25; i++) {
				const verdict = document.querySelector('.verdict').innerText;
				painted.clear();
				const began = performance.now();
				set(100 + (i * 23) % 60);
				let words = 0, charts = 0;
				while (!(words && charts) && performance.now() - began < 3000) {
					await frame();
					await new Promise(r => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0); }); // the frame was drawn
					const now = performance.now() - began;
					if (!words && document.querySelector('.verdict').innerText !== verdict) words = now;
					if (!charts && fresh().length === plots.length) charts = now;
				}
				first.push(words); last.push(charts);
				await pause(700);
			}
			CanvasRenderingContext2D.prototype.clearRect = clear;
			return JSON.stringify({ Fps: 1000 * frames.length / frames.reduce((a, b) => a + b), LongFrame: frames.sort((x, y) => x - y)[Math.floor(frames.length * .95)],
				First: middle(first), Last: middle(last), LastMost: Math.max(...last) });
		})()`)
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(m.Fps, "frames/s")
	b.ReportMetric(m.LongFrame, "ms/frame-p95")
	b.ReportMetric(m.First, "ms/words")
	b.ReportMetric(m.Last, "ms/charts")
	b.ReportMetric(m.LastMost, "ms/charts-most")
	b.ReportMetric(0, "ns/op")
}
