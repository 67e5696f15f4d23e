import { type InferEntity, p } from '@mikro-orm/core'
import { tenantRecord } from '../platform/db/columns.ts'
import { aggregate } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'

/** The reports by their last path segment. */
export const reportKeys = [
  'utilization',
  'instructors',
  'students',
  'revenue',
  'receivables',
  'cancellations',
  'maintenance',
  'training-mismatch',
] as const
export type ReportKey = (typeof reportKeys)[number]

/** The parameters of a saved view as query strings, with dates or a period. */
export type ViewParameters = Readonly<Record<string, string>>

/** A report with parameters that a member saved, private or shared with the staff. */
export const ReportView = aggregate('report_view', {
  exported: true,
  columns: {
    ...tenantRecord,
    membershipId: member.own('settings'),
    name: p.text(),
    report: p.text().$type<ReportKey>(),
    parameters: p.json<ViewParameters>(),
    shared: p.boolean().default(false),
  },
})
export type ReportView = InferEntity<typeof ReportView>
