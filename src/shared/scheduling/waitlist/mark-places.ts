import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { offerPlaces } from '../scheduling.jobs.ts'

/** What a run of the waiting list looks at: an entry, a time of a resource, or both. */
export interface PlaceMark {
  entryId?: number
  resourceId?: number | null
  start?: Date | null
  end?: Date | null
}

/** Marks entries or places, so that the job of the waiting list looks whom to offer what is free. */
export async function markPlaces(tx: Tx, organizationId: number, marks: readonly PlaceMark[]): Promise<void> {
  if (marks.length === 0) return
  await sql`
    insert into job_mark (organization_id, job, about)
    select ${organizationId}, ${offerPlaces.name}, jsonb_strip_nulls(about)
    from jsonb_array_elements(${JSON.stringify(marks)}::jsonb) about`.execute(tx.db)
}
