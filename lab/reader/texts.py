"""From tickets to ids and to targets. The steps from a text to ids are those of reference.py, for any vocabulary."""
import functools
import json
import os
import random
import re
from collections import Counter

import numpy as np

BEGIN, PAD, END, UNKNOWN = 0, 1, 2, 3   # ids of <s>, <pad>, </s>, <unk>
MOST, MOST_TITLE = 320, 48              # ids of a whole text, of its title

# The 32 outputs, in order.
CODES = "what environment reproduce actual decide done where scope context expected why other".split()
KINDS = "bug feature question task discussion other".split()
ELEMENTS = "need actual expected steps environment where criterion why who open".split()
HEADS = {"ready": 4, "codes": 12, "kind": 6, "has": 10}


def lines(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n").split("\t") for line in file]


class Vocabulary:
    """Pieces with their log-probabilities; the place in the list is the id. `normal` replaces code points."""

    def __init__(self, pieces, scores, normal):
        self.pieces, self.scores, self.normal = pieces, scores, normal
        self.table = {piece: (score, number) for number, (piece, score) in enumerate(zip(pieces, scores))}
        self.longest = max(map(len, self.table))
        self.unknown_score = min(score for score, _ in self.table.values()) - 10
        self.split = functools.lru_cache(maxsize=1 << 18)(self.best_split)

    @classmethod
    def read(cls, folder):
        rows = lines(os.path.join(folder, "vocabulary.tsv"))
        normal = {int(point): "".join(chr(int(p)) for p in points.split())
                  for point, points in lines(os.path.join(folder, "normalisation.tsv"))}
        return cls([piece for piece, _ in rows], [float(score) for _, score in rows], normal)

    def write(self, folder):
        with open(os.path.join(folder, "vocabulary.tsv"), "w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{piece}\t{score:.6g}\n" for piece, score in zip(self.pieces, self.scores))
        with open(os.path.join(folder, "normalisation.tsv"), "w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{point}\t{' '.join(str(ord(c)) for c in to)}\n" for point, to in self.normal.items())

    def reduced(self, all_ids, least):
        """The pieces that occur at least `least` times in these ids, and every single character that occurs."""
        count = Counter(number for ids in all_ids for number in ids)
        keep = [number for number, piece in enumerate(self.pieces)
                if number <= UNKNOWN or count[number] >= (1 if len(piece) == 1 else least)]
        # Rounded as in the file, so that training and program split alike.
        return Vocabulary([self.pieces[n] for n in keep], [float(f"{self.scores[n]:.6g}") for n in keep], self.normal)

    def best_split(self, word):
        """Ids of the pieces with the highest sum of log-probabilities."""
        n = len(word)
        score, back = [0.0] + [-np.inf] * n, [None] * (n + 1)
        for i in range(n):
            ends = range(i + 1, min(i + self.longest, n) + 1)
            candidates = [(end, *self.table[word[i:end]]) for end in ends if word[i:end] in self.table]
            if not any(end == i + 1 for end, _, _ in candidates):
                candidates.append((i + 1, self.unknown_score, UNKNOWN))
            for end, gain, number in candidates:
                if score[i] + gain > score[end]:
                    score[end], back[end] = score[i] + gain, (i, number)
        ids = []
        while n:
            n, number = back[n]
            ids.append(number)
        return ids[::-1]

    def tokens(self, text):
        text = re.sub(" {2,}", " ", "".join(self.normal.get(ord(c), c) for c in text)).replace(" ", "▁")
        if text and not text.startswith("▁"):
            text = "▁" + text
        ids = []
        for word in re.findall("▁[^▁]*", text):
            for number in self.split(word):
                if number != UNKNOWN or ids[-1:] != [UNKNOWN]:
                    ids.append(number)
        return ids

    def ticket_ids(self, title, text):
        if len(text) > 4000:
            text = text[:3000] + "\n…\n" + text[-1000:]
        head, body = self.tokens(title[:300])[:MOST_TITLE], self.tokens(text)
        room = MOST - 3 - len(head)
        if len(body) > room:
            first = room * 3 // 4
            body = body[:first] + body[len(body) - (room - first):]
        return [BEGIN, *head, END, *body, END]

    def all_ids(self, rows):
        return [self.ticket_ids(row["title"], row["text"]) for row in rows]


def json_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def tickets(paths, issues=None, limit=None, seed=0):
    """Rows of JSON Lines files with id, title, text and, where they exist, language and reading.

    Rows whose licence is NC are left out: no weights may be fitted on them. A row without a text names a row of `issues`.
    """
    by_id = {row["id"]: row for row in json_lines(issues)} if issues else {}
    out = []
    for path in paths:
        for number, row in enumerate(json_lines(path), 1):
            if "NC" in re.split(r"[^A-Za-z]+", row.get("licence", "")):
                continue
            if "row" in row and row["row"] not in by_id:
                raise SystemExit(f"{path}:{number}: the text is in github_issues.jsonl; name that file with --issues")
            source = by_id[row["row"]] if "row" in row else row
            out.append({"id": row.get("id", f"{os.path.basename(path)}:{number}"), "title": source.get("title") or "",
                        "text": source.get("text") or source.get("body") or "", "lang": row.get("lang"),
                        "reading": row.get("reading")})
    if limit and limit < len(out):
        out = random.Random(seed).sample(out, limit)
    return out


def target(reading):
    """The 32 targets of a reading, each from 0 to 1. The older readings do not list elements: NaN there."""
    asked = {}
    for question in reading["questions"]:
        asked[question["code"]] = max(asked.get(question["code"], 0), 1 if question["must"] else .8)
    has = reading.get("has")
    return np.array([*(reading["ready"] >= step for step in (1, 2, 3, 4)), *(asked.get(code, 0) for code in CODES),
                     *(reading["kind"] == kind for kind in KINDS),
                     *(np.nan if has is None else element in has for element in ELEMENTS)], np.float32)
