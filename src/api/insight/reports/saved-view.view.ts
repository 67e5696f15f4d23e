import { z } from 'zod'
import { reportKeys } from '../../../shared/insight/insight.tables.ts'
import type { ReportViewRow } from '../../../shared/insight/reports/report-view.queries.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

/** A saved view: a report with parameters. */
export const SavedView = z
  .object({
    id: Id,
    name: z.string(),
    report: z.enum(reportKeys).meta({ choices: 'ReportName' }),
    parameters: z.record(z.string(), z.string()),
    shared: z.boolean(),
    author: Person,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'SavedView' })

export function savedView(row: ReportViewRow): z.input<typeof SavedView> {
  return {
    id: row.id,
    name: row.name,
    report: row.report,
    parameters: { ...row.parameters },
    shared: row.shared,
    author: personView(row.membership_id, row.author),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
