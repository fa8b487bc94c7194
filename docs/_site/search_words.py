"""The search of the site accepts questions: words such as "how" and "my" do not count."""

from sphinx.search.en import SearchEnglish

PLAIN = """
a about am an and any are as at be been best but by can cannot could did do does each find for
from get give go good got has have help how i if in into is it its know like make many me much my
need no not of on one or please possible see set shall should show so some tell than that the
their them then there these they thing this to too tool up us use used using want was way we what
when where which who why will with without work works would you your penumbra
"""


class SearchQuestions(SearchEnglish):
    lang = "questions"
    language_name = "English"
    stopwords = frozenset(PLAIN.split())


def setup(app):
    app.add_search_language(SearchQuestions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
