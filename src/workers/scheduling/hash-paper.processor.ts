import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { recordHash } from '../../shared/scheduling/rules/record-paper.ts'
import type { hashPaper } from '../../shared/scheduling/scheduling.jobs.ts'

/** Keeps the SHA-256 of the file that an override was given. Does nothing when it is kept, or when the file is gone. */
export const hashPaperProcessor: JobProcessor<typeof hashPaper> = async (payload, tools) => {
  const content = await tools.storage.read(payload.storageKey)
  if (!content) return
  const hash = createHash('sha256')
  await pipeline(content, hash)
  await tools.transaction((tx) => recordHash(tx, payload, hash.digest('hex')))
}
