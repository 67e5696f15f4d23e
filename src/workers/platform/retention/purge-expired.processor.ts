import { inBatches } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { PURGED_AT_ONCE, purgeBatch, purgedTables } from '../../../shared/platform/retention/purge-batch.access.ts'
import type { purgeExpired } from '../../../shared/platform/retention/retention.jobs.ts'
import { keptSince } from '../../../shared/platform/retention/retention.rules.ts'

/** Deletes expired rows, table by table, one batch per transaction, and partial uploads. */
export const purgeWhatExpired: JobProcessor<typeof purgeExpired> = async (_payload, tools) => {
  const purged: Record<string, number> = {}
  for (const table of purgedTables) {
    purged[table] = await inBatches(tools, (tx) => purgeBatch(tx, table), PURGED_AT_ONCE)
  }
  purged.uploads = (await tools.storage.own?.dropHalves(keptSince(tools.clock(), 'halfUpload'))) ?? 0
  tools.log.info({ purged }, 'purged what was kept long enough')
}
