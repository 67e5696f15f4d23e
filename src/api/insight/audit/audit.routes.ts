import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { type EventKind, eventKinds, subjectKinds } from '../../../shared/platform/contracts/event-kinds.ts'
import { listAudit } from '../../../shared/platform/events/audit.queries.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, InstantInput, MAX_ID, QueryId } from '../../http/schemas.ts'
import { AuditEntry, auditView } from './audit.view.ts'

const actions = Object.keys(eventKinds) as EventKind[]

/** The subject of an event, as `<kind>:<id>`. */
const Subject = z
  .string()
  .max(40)
  .transform((text, context) => {
    const [name, id = '', ...rest] = text.split(':')
    const kind = subjectKinds.find((one) => one === name)
    if (kind && /^[1-9]\d{0,9}$/.test(id) && Number(id) <= MAX_ID && rest.length === 0) return { kind, id: Number(id) }
    context.addIssue(fieldErrors.subject())
    return z.NEVER
  })
  .meta({ override: { type: 'string' } })

const AuditQuery = ListQuery.extend({
  action: z.enum(actions).meta({ choices: 'AuditAction' }).optional(),
  orgUserId: QueryId.optional().describe('Events with this member as actor or subject'),
  subject: Subject.optional(),
  startDate: InstantInput.optional(),
  endDate: InstantInput.optional(),
}).refine(({ startDate, endDate }) => !startDate || !endDate || startDate < endDate, {
  path: ['endDate'],
  message: fieldErrors.after({ other: 'startDate' }),
})

export const auditRoutes: Routes = (on) => {
  on.get('/audit', {
    id: 'listAuditEvents',
    access: admins,
    tag: 'Audit',
    summary: 'List the audit log',
    description:
      'Lists the events of the organization, latest first: who did what, when, from which network, and what ' +
      'changed. Entries are kept unchanged for seven years. The log contains no secrets, notes, profiles or ' +
      'medical details.',
    query: AuditQuery,
    answers: { 200: envelope(z.array(AuditEntry)) },
    read: async ({ db, actor, query }) => {
      const { action, orgUserId, subject, startDate: from, endDate: to } = query
      const events = listAudit(db, actor.organizationId, { action, orgUserId, subject, from, to })
      return page(await listPage(events, query, auditView))
    },
  })
}
