// main.js - shows the JSON of the page as a plot or a report.
import { showPlot } from "./plot.js";
import { showReport } from "./report.js";

const given = JSON.parse(document.getElementById("data").textContent);
const place = document.getElementById("page");
place.replaceChildren();
(given.command === "plot" ? showPlot : showReport)(place, given);
