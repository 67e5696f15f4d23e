import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  type ArchiveChunk,
  type ArchiveFile,
  type Contents,
  writeArchive,
} from '../../../src/shared/portability/exports/write-archive.ts'
import { unzip } from '../../support/unzip.ts'

const fileOf = (path: string, open: ArchiveFile['open']): ArchiveFile => ({ path, kind: 'file', open })
const chunk = (text: string): ArchiveChunk => ({ bytes: Buffer.from(text), records: 1 })

async function* chunks(...texts: string[]) {
  for (const text of texts) yield chunk(text)
}

/** Like an object whose store resets the connection after some bytes. */
async function* cutOff() {
  yield chunk('the first bytes')
  await pause(5)
  throw new Error('ECONNRESET')
}

const manifest = ({ files, missing }: Contents) => ({ files: files.map(({ path, count }) => [path, count]), missing })

// An error that nobody listens to fails the whole run of tests, as it ends a worker.
describe('an archive', () => {
  test('has the files in their order, and names those that are missing', async () => {
    const files = [
      fileOf('a.txt', async () => chunks('a', 'b')),
      fileOf('gone.pdf', async () => null),
      fileOf('c.txt', async () => chunks('c')),
    ]
    const found = unzip(await buffer(writeArchive(files, manifest)))
    expect([...found.keys()]).toEqual(['a.txt', 'c.txt', 'manifest.json'])
    expect(String(found.get('a.txt'))).toBe('ab')
    expect(JSON.parse(String(found.get('manifest.json')))).toEqual({
      files: [
        ['a.txt', 2],
        ['c.txt', 1],
      ],
      missing: [{ path: 'gone.pdf', kind: 'file' }],
    })
  })

  test.for([
    ['that is cut off while it is read', fileOf('b.txt', async () => cutOff()), 'ECONNRESET'],
    ['that cannot be opened', fileOf('b.txt', () => Promise.reject(new Error('EACCES'))), 'EACCES'],
  ] as const)('fails with the reason of a file %s', async ([, broken, reason]) => {
    const files = [fileOf('a.txt', async () => chunks('a')), broken, fileOf('c.txt', async () => chunks('c'))]
    await expect(buffer(writeArchive(files, manifest))).rejects.toThrow(reason)
  })

  test('that nobody reads any more ends the file in hand, and fails in silence', async () => {
    const ended: string[] = []
    async function* endless() {
      try {
        for (;;) {
          yield chunk('x'.repeat(100_000))
          await pause(1)
        }
      } finally {
        ended.push('the file')
      }
    }
    const archive: Readable = writeArchive([fileOf('a.txt', async () => endless())], manifest)
    await pause(20)
    archive.destroy(new Error('the disk is full'))
    await expect.poll(() => ended).toEqual(['the file'])
    await pause(20)
  })
})
