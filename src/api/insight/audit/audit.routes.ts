import { z } from 'zod'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { type EventKind, eventKinds } from '../../../shared/platform/contracts/event-kinds.ts'
import { subjectKinds } from '../../../shared/platform/contracts/subject-kinds.ts'
import { listAudit } from '../../../shared/platform/events/audit.queries.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, MAX_ID, membersOf, QueryMembers, queryTexts, queryWords } from '../../http/schemas.ts'
import { openWindow, windowOf } from '../../http/windows.ts'
import { AuditEntry, auditView } from './audit.view.ts'

const actions = Object.keys(eventKinds) as [EventKind, ...EventKind[]]

/** The subjects of events, each as `<kind>:<id>`. */
const Subjects = queryTexts(40).transform((texts, context) => {
  const subjects = texts.flatMap((text) => {
    const [name, id = '', ...rest] = text.split(':')
    const kind = subjectKinds.find((one) => one === name)
    const fits = kind && /^[1-9]\d{0,9}$/.test(id) && Number(id) <= MAX_ID && rest.length === 0
    return fits ? [{ kind, id: Number(id) }] : []
  })
  if (subjects.length === texts.length) return subjects
  context.addIssue(fieldErrors.subject())
  return z.NEVER
})

const AuditQuery = ListQuery.extend({
  action: queryWords(actions).optional(),
  orgUserId: QueryMembers.optional().describe('Events with one of these members as actor or subject'),
  subject: Subjects.optional().describe(
    'Events about one of these subjects, each as `<kind>:<id>`, such as `reservation:12`',
  ),
  ...openWindow,
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
      const { action: actions, subject: subjects } = query
      const orgUserIds = membersOf(query.orgUserId, actor)
      const { start: from, end: to } = windowOf(query, actor)
      const events = listAudit(db, actor.organizationId, { actions, orgUserIds, subjects, from, to })
      return page(await listPage(events, query, auditView))
    },
  })
}
