"""README.md as the description on a package index, where its links lead to the repository."""

import re


def dynamic_metadata(settings, project):
    address = project["urls"]["Repository"]
    with open("README.md", encoding="utf-8") as file:
        text = file.read()

    def absolute(link):
        kind = "raw" if link[1].endswith(".png") else "blob"
        return f"]({address}/{kind}/HEAD/{link[1]})"

    text = re.sub(r"\]\((?!https:)([^)]+)\)", absolute, text)
    return {"readme": {"text": text, "content-type": "text/markdown"}}
