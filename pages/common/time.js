// time.js — times as text and on an axis, and canvases to draw them on.

export function formatMs(ms) {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return "–";
  if (ms < 0.005) return "";
  if (ms < 0.95) return `${Math.max(0, ms).toFixed(2)} ms`;
  if (ms < 99.5) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Round steps: 1, 2 or 5 times a power of ten, in milliseconds; above a minute in minutes.
export function axisStep(span, room) {
  const rough = span / Math.max(1, room / 90);
  const minutes = [60000, 120000, 300000, 600000, 1800000, 3600000];
  if (rough > 30000) return minutes.find((step) => step >= rough) || Math.ceil(rough / 3600000) * 3600000;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.001)));
  return [1, 2, 5, 10].map((part) => part * power).find((step) => step >= rough);
}

export function axisText(ms, step) {
  if (step >= 60000) return `${Math.round(ms / 60000)} min`;
  if (step >= 1000) return `${ms / 1000} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(step < 100 ? 2 : 1)} s`;
  return `${+ms.toFixed(3)} ms`;
}

// Ready to be drawn on, as sharp as the screen is.
export function prepareCanvas(canvas, height) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const width = canvas.clientWidth;
  canvas.style.height = height + "px";
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const c = canvas.getContext("2d");
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, width, height);
  return c;
}
