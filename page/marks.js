// marks.js
