// Runs the gate: one WebAssembly instance for each text, with a small WASI that has standard input and output only.

const module = WebAssembly.compileStreaming(fetch("playground.wasm"));
// "Not supported" for all functions that are not below: there are no files, no network and no environment.
const NOT_SUPPORTED = 52;
const BAD_DESCRIPTOR = 8;

class Ended extends Error {}

function imports(input, output, state) {
  const view = () => new DataView(state.memory.buffer);
  const parts = (pointer, count) =>
    Array.from({ length: count }, (_, index) => {
      const at = pointer + 8 * index;
      return new Uint8Array(state.memory.buffer, view().getUint32(at, true), view().getUint32(at + 4, true));
    });
  let read = 0;
  const known = {
    fd_read(descriptor, pointer, count, result) {
      if (descriptor !== 0) return BAD_DESCRIPTOR;
      let total = 0;
      for (const part of parts(pointer, count)) {
        const piece = input.subarray(read, read + part.length);
        part.set(piece);
        read += piece.length;
        total += piece.length;
      }
      view().setUint32(result, total, true);
      return 0;
    },
    fd_write(descriptor, pointer, count, result) {
      let total = 0;
      for (const part of parts(pointer, count)) {
        if (descriptor === 1) output.push(part.slice());
        total += part.length;
      }
      view().setUint32(result, total, true);
      return 0;
    },
    environ_sizes_get: (count, size) => sizes(count, size),
    args_sizes_get: (count, size) => sizes(count, size),
    environ_get: () => 0,
    args_get: () => 0,
    fd_prestat_get: () => BAD_DESCRIPTOR,
    clock_time_get(_clock, _precision, result) {
      view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    random_get(pointer, length) {
      crypto.getRandomValues(new Uint8Array(state.memory.buffer, pointer, length));
      return 0;
    },
    proc_exit(code) {
      throw new Ended(String(code));
    },
  };
  function sizes(count, size) {
    view().setUint32(count, 0, true);
    view().setUint32(size, 0, true);
    return 0;
  }
  return new Proxy(known, { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) });
}

/** The answer of the program to a request. */
async function judge(request) {
  const output = [];
  const state = {};
  const input = new TextEncoder().encode(JSON.stringify(request));
  const wasi = imports(input, output, state);
  const program = await module;
  const needed = WebAssembly.Module.imports(program).map(({ name }) => [name, wasi[name]]);
  const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: Object.fromEntries(needed) });
  state.memory = instance.exports.memory;
  try {
    instance.exports._start();
  } catch (end) {
    if (!(end instanceof Ended)) throw end;
  }
  return JSON.parse(await new Blob(output).text());
}

// This file is a worker, so that typing never waits.
self.onmessage = async ({ data: { number, request } }) => {
  let answer;
  try {
    answer = await judge(request);
  } catch (error) {
    answer = { error: String(error.message ?? error) };
  }
  self.postMessage({ number, answer });
};
