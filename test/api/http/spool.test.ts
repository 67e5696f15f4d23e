import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { spool } from '../../../src/api/http/spool.ts'

const never = new AbortController().signal
const chunk = Buffer.alloc(64 * 1024, 'x')

describe('a spooled stream', () => {
  test('is produced to its end while nobody reads, and then read whole', async () => {
    let produced = false
    const stream = await spool(async (push) => {
      for (let count = 0; count < 100; count++) push(chunk)
      await Promise.resolve()
      produced = true
    }, never)
    await new Promise(setImmediate)
    expect(produced).toBe(true)
    expect(await text(stream)).toHaveLength(100 * chunk.length)
  })

  test('rejects when the production fails before its first chunk, and breaks off when it fails later', async () => {
    await expect(spool(() => Promise.reject(new Error('no such table')), never)).rejects.toThrow('no such table')
    const stream = await spool(async (push) => {
      push(chunk)
      await new Promise(setImmediate)
      throw new Error('gone')
    }, never)
    await expect(text(stream)).rejects.toThrow('gone')
  })

  test('aborts its production when it is closed, and when its client goes before it is there', async () => {
    const untilAborted = async (push: (some: Buffer) => void, signal: AbortSignal) => {
      push(chunk)
      await once(signal, 'abort')
      ended += 1
    }
    let ended = 0
    const stream = await spool(untilAborted, never)
    stream.destroy()
    const client = new AbortController()
    await spool(untilAborted, client.signal)
    client.abort()
    await expect.poll(() => ended).toBe(2)
  })

  test('is cut when its client takes too little of what waits, and after its longest time', async () => {
    const many = async (push: (some: Buffer) => void) => {
      for (let count = 0; count < 20; count++) push(chunk)
    }
    const slow = await spool(many, never, { bytes: 1_000_000, spanMs: 20, totalMs: 60_000 })
    slow.read()
    const long = await spool(many, never, { bytes: 0, spanMs: 60_000, totalMs: 20 })
    long.read()
    await Promise.all([slow, long].map((stream) => new Promise((closed) => stream.once('close', closed))))
    expect([slow.errored?.message, long.errored?.message]).toEqual([
      'the client reads too slowly',
      'the client reads for too long',
    ])
  })
})
