/* search.js - ranks pages for a question. Sphinx requires every word of it on the page; here rare
 * words and words of headings count more, and the hit is the section whose heading fits best. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  const stems = (text) => {
    const stemmer = new Stemmer();
    const words = splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word));
    return new Set(words.map((word) => stemmer.stemWord(word)));
  };
  const listed = (files) => (files === undefined ? [] : [].concat(files));
  const lookup = (table, word) => {
    if (Object.hasOwn(table, word)) return listed(table[word]);
    if (word.length < 4) return [];
    const longer = Object.keys(table).filter((term) => term.startsWith(word));
    return longer.flatMap((term) => listed(table[term]));
  };

  // Pages for users come before those for contributors and generated ones.
  const priority = (page) =>
    page === "questions" ? 1.2
      : /^(bench|tests|c\/|api|arch|conv|deci|CHAN|CONT|paper|results)/.test(page) ? 0.6 : 1;

  Search.performTermsSearch = (searchTerms) => {
    const { terms, titleterms, alltitles, docnames, filenames, titles } = Search._index;
    const weights = new Map();
    const scores = docnames.map(() => 0);
    for (const word of searchTerms) {
      const inTitles = new Set(lookup(titleterms, word));
      const found = new Set([...lookup(terms, word), ...inTitles]);
      const weight = found.size ? Math.log(1 + docnames.length / found.size) : 0;
      weights.set(word, weight);
      for (const file of found) scores[file] += weight * (inTitles.has(file) ? 1.5 : 1);
    }
    const best = docnames.map((_, file) => ({ fit: 0, title: titles[file], id: null }));
    for (const [title, places] of Object.entries(alltitles)) {
      const words = stems(title);
      let fit = 0;
      for (const word of words) fit += weights.get(word) ?? 0;
      fit *= 3 / Math.sqrt(2 + words.size);
      for (const [file, id] of places) if (fit > best[file].fit) best[file] = { fit, title, id };
    }
    const results = [];
    scores.forEach((score, file) => {
      if (!score) return;
      const { fit, title, id } = best[file];
      const name = id && title !== titles[file] ? `${titles[file]} > ${title}` : titles[file];
      results.push([docnames[file], name, id ? "#" + id : "", null,
        (score + fit) * priority(docnames[file]), filenames[file], SearchResultKind.text]);
    });
    return results;
  };
});
