// report.js
export function showReport(place, found) {}
