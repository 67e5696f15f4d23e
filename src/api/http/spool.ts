import { Readable } from 'node:stream'

/** How slowly a client may read a stream. */
export interface Patience {
  /**
   * The least bytes that a client must read per `spanMs` while bytes are available. A slower client is disconnected.
   */
  bytes: number
  spanMs: number
  /** The longest time for which a stream is open, in milliseconds. */
  totalMs: number
}

const usual: Patience = { bytes: 300_000, spanMs: 30_000, totalMs: 300_000 }

/** Produces chunks as fast as it can, and stops early when it is aborted. */
type Produce = (push: (chunk: Buffer) => void, signal: AbortSignal) => Promise<void>

/**
 * Returns a stream of the produced chunks, as soon as the first one exists. Chunks wait in memory, so `produce`, which
 * may hold a database connection, never waits for the client. The stream and `produce` end when the client disconnects,
 * reads less than 10 kB per second over 30 seconds, or reads for more than 5 minutes.
 * @throws the error of `produce` when it fails before the first chunk.
 */
export async function spool(produce: Produce, gone: AbortSignal, patience = usual): Promise<Readable> {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, gone])
  const chunks: Buffer[] = []
  let end: { error?: unknown } | undefined
  let wake = () => {}
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const started = changed()
  const push = (chunk: Buffer) => {
    chunks.push(chunk)
    wake()
  }
  produce(push, signal).then(
    () => {
      end = {}
      wake()
    },
    (error: unknown) => {
      end = { error }
      wake()
    },
  )
  await started
  if (end && 'error' in end) throw end.error

  const client = { taken: 0, waits: false }
  async function* read() {
    for (;;) {
      const chunk = chunks.shift()
      if (chunk) {
        client.waits = true
        yield chunk
        client.waits = false
        client.taken += chunk.length
      } else if (end) {
        if ('error' in end) throw end.error
        return
      } else await changed()
    }
  }
  const stream = Readable.from(read(), { objectMode: false })
  const stop = cutWhenSlow(stream, client, patience)
  // A stream that nobody reads is destroyed too. Without this listener, its error would end the process.
  stream.on('error', () => {})
  stream.once('close', () => {
    stop()
    ending.abort()
    wake()
  })
  return stream
}

function cutWhenSlow(stream: Readable, client: { taken: number; waits: boolean }, patience: Patience): () => void {
  let before = 0
  const look = setInterval(() => {
    if (client.waits && client.taken - before < patience.bytes) stream.destroy(new Error('the client reads too slowly'))
    before = client.taken
  }, patience.spanMs).unref()
  const last = setTimeout(() => stream.destroy(new Error('the client reads for too long')), patience.totalMs).unref()
  return () => {
    clearInterval(look)
    clearTimeout(last)
  }
}
