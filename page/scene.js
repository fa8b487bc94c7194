// scene.js
