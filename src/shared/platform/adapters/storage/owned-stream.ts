import type { Readable } from 'node:stream'

/**
 * Runs `work`, which reads a stream, and then destroys the stream. The listener ignores errors that come before the first read
 * or after `work` has failed: without a listener they would end the process.
 */
export async function whileOwned<T>(stream: Readable, work: () => Promise<T>): Promise<T> {
  stream.on('error', () => {})
  try {
    return await work()
  } finally {
    stream.destroy()
  }
}
