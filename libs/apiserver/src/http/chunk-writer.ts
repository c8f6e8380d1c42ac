import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const framed = new WeakMap<Buffer, Buffer>();

/** A piece of a body as HTTP/1.1 puts it on the wire. Made once for all connections that it goes to. */
function chunkOf(piece: Buffer): Buffer {
  let chunk = framed.get(piece);
  if (chunk === undefined) {
    chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
    framed.set(piece, chunk);
  }
  return chunk;
}

/** Sockets that were written to in this turn. What is written to one of them leaves together, when the turn ends. */
let corked: Socket[] = [];

function uncork(): void {
  const sockets = corked;
  corked = [];
  for (const socket of sockets) socket.uncork();
}

/**
 * Writes a piece of a chunked body. Node would put three pieces around it for every connection anew, which is most of
 * the work where one event goes to many watches.
 */
export function writeChunk(response: ServerResponse, piece: Buffer): void {
  const { socket } = response;
  // Behind another answer of its connection a response has no socket yet, and what it holds back comes first.
  if (socket === null || response.writableLength !== socket.writableLength) {
    response.write(piece);
    return;
  }
  if (socket.writableCorked === 0) {
    socket.cork();
    corked.push(socket);
    if (corked.length === 1) process.nextTick(uncork);
  }
  socket.write(chunkOf(piece));
}
