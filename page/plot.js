// plot.js
export function showPlot(place, given) {}
