// Every call of squall.js, against what the command line says natively.
import test from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { native, load, root } from './support.mjs';

const example = name => readFileSync(join(root, 'examples', name + '.json'), 'utf8');
const squall = await load();

test('version', () => assert.match(native('version'), new RegExp(`^squall ${squall.version.replaceAll('.', '\\.')} `)));

for (const name of ['brownout', 'retry-storm', 'half-open-cliff', 'hedging-hurts', 'pool-stall', 'criticality']) {
  test(`run ${name} as natively`, async () => {
    const answer = await squall.run(example(name), { seed: 7 });
    assert.equal(answer.ok, true, answer.error);
    const want = JSON.parse(native('run', '--json', '--seed', '7', `examples/${name}.json`));
    assert.match(want.digest, /^sha256:[0-9a-f]{64}$/);
    assert.equal(answer.report.digest, want.digest);
    assert.deepEqual(answer.report, want);
    assert.equal(answer.text, native('run', '--seed', '7', `examples/${name}.json`));
  });
}

test('an object is as good as its text', async () => {
  const text = await squall.run(example('brownout'));
  const object = await squall.run(JSON.parse(example('brownout')));
  assert.equal(object.report.digest, text.report.digest);
  assert.equal(text.report.seed, 42);
});

test('a recorded run has its timeline', async () => {
  const scenario = { ...JSON.parse(example('brownout')), duration: '2s' };
  const bare = await squall.run(scenario);
  const recorded = await squall.run(scenario, { record: true });
  assert.ok(recorded.report.calls[0].measured.timeline.length > 1000);
  assert.equal(bare.report.calls[0].measured.timeline?.length ?? 0, 0);
  const { ok, total } = await squall.request({ op: 'moments', call: 0, from: 0 });
  assert.ok(ok && total !== 0);
});

test('band as natively', async () => {
  const heard = [];
  const answer = await squall.band(example('brownout'), { seeds: [1, 2, 3, 4], onProgress: done => heard.push(done) });
  const want = JSON.parse(native('run', '--json', '--seeds', '1-4', 'examples/brownout.json'));
  assert.deepEqual(answer.band, want);
  assert.equal(answer.band.runs.length, 4);
  assert.ok(heard.length > 0 && heard.every((d, i) => d >= (heard[i - 1] ?? 0) && d <= 1), heard.join());
});

test('grade as natively', async () => {
  const answer = await squall.grade(example('fails-its-grade'));
  assert.deepEqual(answer.grade, JSON.parse(native('grade', '--json', 'examples/fails-its-grade.json')));
  const recording = native('grade', '--as', 'recording', 'examples/fails-its-grade.json');
  const files = await squall.grade([{ name: 'calls.json', text: recording }]);
  assert.deepEqual(files.grade, answer.grade);
  const text = await squall.grade(recording);
  assert.equal(text.text, answer.text);
});

test('explain a scenario and a policy', async () => {
  const scenario = JSON.parse(example('brownout'));
  const whole = await squall.explain(example('brownout'));
  assert.deepEqual(whole.explanation, JSON.parse(native('explain', '--json', 'examples/brownout.json')));
  assert.deepEqual((await squall.explain(scenario)).explanation, whole.explanation);
  assert.deepEqual((await squall.explain(scenario.policy)).explanation, whole.explanation);
  assert.deepEqual((await squall.explain(JSON.stringify(scenario.policy) + ' // "load": {')).explanation, whole.explanation);
});

test('check', async () => {
  const answer = await squall.check(example('half-open-cliff'));
  assert.equal(answer.ok, true);
  assert.ok(answer.world.calls.length > 0 && answer.world.durationNs > 0);
});

test('what is wrong is a value with its place', async () => {
  for (const call of [squall.check, squall.run, squall.band, squall.explain, squall.grade]) {
    const answer = await call.call(squall, '{ "duration": "5s",\n  "load": { "perSecond": "many" } }');
    assert.equal(answer.ok, false, call.name);
    const wrong = answer.problems.find(p => p.path === 'load.perSecond');
    assert.deepEqual([wrong?.line, wrong?.column, wrong?.offset, wrong?.length], [2, 26, 45, 6], `${call.name}: ${answer.error}`);
    assert.match(answer.error, /2:26: load\.perSecond: /);
  }
  const { problems } = await squall.explain('{ "attempts": true }');
  assert.deepEqual([problems[0].path, problems[0].line, problems[0].column], ['attempts', 1, 15]);
});

test('nothing that is given makes a call reject', async () => {
  const circle = {};
  circle.self = circle;
  for (const odd of [undefined, null, 7, 7n, '', '{', '\ud800', [], {}, circle, { load: 1n }, Symbol('x'), () => 1, '[['.repeat(1e5)]) {
    for (const call of [squall.check, squall.run, squall.band, squall.explain, squall.grade]) {
      const answer = await call.call(squall, odd);
      assert.equal(answer.ok === true && call === squall.explain ? false : answer.ok, false, `${call.name}(${typeof odd})`);
      if (!answer.ok) assert.ok(answer.error.length > 0 && Array.isArray(answer.problems) && !answer.defect, answer.error);
    }
  }
  assert.match((await squall.run(example('brownout'), { variant: 'nobody' })).error, /no variant "nobody"/);
  assert.equal((await squall.band(example('brownout'), { seeds: [1, 1] })).ok, false);
  assert.match((await squall.request({ op: 'dance' })).error, /no request "dance"/);
});

test('signal and progress', async () => {
  const scenario = { ...JSON.parse(example('brownout')), duration: '30m', load: { perSecond: 2000 } };
  delete scenario.expect;
  const stopper = new AbortController();
  const answer = await squall.run(scenario, { signal: stopper.signal, onProgress: done => { if (done > 0) stopper.abort(); } });
  assert.deepEqual([answer.ok, answer.aborted], [false, true]);
  assert.equal((await squall.run(scenario, { signal: AbortSignal.abort() })).aborted, true);
  await assert.rejects(squall.run(scenario, { onProgress() { throw new Error('mine'); } }), /^Error: mine$/);
  assert.equal((await squall.run(example('brownout'))).ok, true);
});

test('several at once keep their own answers', async () => {
  const digests = await Promise.all([1, 2, 1].map(async seed => (await squall.run(example('brownout'), { seed })).report.digest));
  assert.equal(digests[0], digests[2]);
  assert.notEqual(digests[0], digests[1]);
});
