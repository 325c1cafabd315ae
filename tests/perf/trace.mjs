// What a trace of Chromium says of the page's main thread. Lengths are by the thread's own clock, so that what else the
// machine does is not counted.

/** Which kind of work an event of the trace is; what has no entry belongs to what encloses it. */
const KINDS = {
  EventDispatch: "script", FunctionCall: "script", EvaluateScript: "script", FireAnimationFrame: "script",
  RunMicrotasks: "script", TimerFire: "script", MinorGC: "script", MajorGC: "script", "v8.compile": "script",
  "v8.callFunction": "script",
  UpdateLayoutTree: "style", RecalculateStyles: "style", ParseAuthorStyleSheet: "style",
  Layout: "layout", HitTest: "layout",
  PrePaint: "paint", Paint: "paint", Layerize: "paint", Commit: "paint", UpdateLayer: "paint",
};

export class Trace {
  static categories = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "v8"];

  constructor(buffer) {
    const { traceEvents } = JSON.parse(buffer);
    const mains = traceEvents.filter(event => event.name === "thread_name" && event.args.name === "CrRendererMain");
    // Of several renderers, the page's is the one that dispatched most.
    const busy = main => traceEvents.filter(event => event.tid === main.tid && event.pid === main.pid && event.ph === "X").length;
    const main = mains.sort((a, b) => busy(b) - busy(a))[0];
    this.events = traceEvents
      .filter(event => event.tid === main.tid && event.pid === main.pid && event.ph === "X" && event.dur !== undefined)
      .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  }

  /** The main thread's tasks, each with its milliseconds by kind of work, the input it took, and whether it committed. */
  tasks() {
    const tasks = [];
    const open = [];
    for (const event of this.events) {
      while (open.length > 0 && open.at(-1).end <= event.ts) open.pop();
      const length = (event.tdur ?? event.dur) / 1e3;
      if (open.length === 0) {
        tasks.push({ start: event.ts, total: length, work: { other: length }, input: new Set(), commits: false });
        open.push({ end: event.ts + event.dur, kind: "other" });
        continue;
      }
      const task = tasks.at(-1);
      const outer = open.at(-1).kind;
      const kind = KINDS[event.name] ?? outer;
      task.work[outer] = (task.work[outer] ?? 0) - length;
      task.work[kind] = (task.work[kind] ?? 0) + length;
      if (event.name === "EventDispatch") task.input.add(event.args.data.type);
      if (event.name === "Commit") task.commits = true;
      open.push({ end: event.ts + event.dur, kind });
    }
    return tasks;
  }

  /** The frames: the tasks from one commit to the next, added up. */
  frames() {
    const frames = [];
    let frame;
    for (const task of this.tasks()) {
      frame ??= { total: 0, work: {}, input: new Set() };
      frame.total += task.total;
      for (const [kind, length] of Object.entries(task.work)) frame.work[kind] = (frame.work[kind] ?? 0) + length;
      for (const type of task.input) frame.input.add(type);
      if (task.commits) {
        frames.push(frame);
        frame = undefined;
      }
    }
    return frames;
  }

  /** The frames that took an event of this type, or all: their number, median and 95th percentile, and each kind's median. */
  summary(type) {
    const frames = this.frames().filter(({ input }) => type === undefined || input.has(type));
    const at = (share, values) => {
      const sorted = values.sort((a, b) => a - b);
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    };
    const kind = name => at(0.5, frames.map(({ work }) => work[name] ?? 0));
    const totals = frames.map(({ total }) => total);
    return {
      frames: frames.length,
      median: at(0.5, totals),
      p95: at(0.95, totals),
      script: kind("script"),
      style: kind("style"),
      layout: kind("layout"),
      paint: kind("paint"),
      other: kind("other"),
      longest: Math.max(0, ...this.tasks().map(({ total }) => total)),
    };
  }
}
