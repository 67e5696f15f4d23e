import type { Readable } from 'node:stream'

/**
 * Runs work that reads a stream, and destroys the stream at its end. A stream that fails before somebody reads it, or after
 * the work has failed, would end the process without a listener.
 */
export async function whileOwned<T>(stream: Readable, work: () => Promise<T>): Promise<T> {
  stream.on('error', () => {})
  try {
    return await work()
  } finally {
    stream.destroy()
  }
}
