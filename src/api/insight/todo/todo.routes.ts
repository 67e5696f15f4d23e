import { z } from 'zod'
import { listTodo } from '../../../shared/insight/todo/todo.queries.ts'
import { LEFT_AFTER_DAYS, type TodoRow, todoKinds, todoSubjects } from '../../../shared/insight/todo/todo.types.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { ActionRequest, envelope, Id, Instant, membersOf, QueryMember } from '../../http/schemas.ts'

/** One task of a member, with the request that completes it. */
export const Todo = z
  .object({
    kind: z.enum(todoKinds),
    subject: z.object({
      kind: z.enum(todoSubjects).meta({ choices: 'TodoSubjectKind' }),
      id: Id,
      title: z.string(),
    }),
    since: Instant.describe('When the task became due'),
    dueAt: Instant.nullable().describe('The deadline for evidence in a dispute, or the test; null for other tasks'),
    action: ActionRequest,
  })
  .meta({ id: 'Todo' })

export function todoView(row: TodoRow): z.input<typeof Todo> {
  const { kind, subjectKind, subjectId, title, since, dueAt, method, path } = row
  const subject = { kind: subjectKind, id: subjectId, title }
  return { kind, subject, since: iso(since), dueAt: iso(dueAt), action: { method, path } }
}

const answers = { 200: envelope(z.array(Todo)) }
const what =
  'flights to ramp in, figures to confirm, records to write, sign and countersign, endorsements and currencies to renew, and what a practical ' +
  'test in 21 days needs. Desk staff also get booking requests, plans with a maintenance booking and cancellation fees that nothing charges by itself; admins flights to invoice, refunds, disputes, ' +
  `reversals and objections to corrections; admins and technicians open squawks. The longest waiting comes first, ${LEFT_AFTER_DAYS} days at most.`

/** The endpoints of the to-do lists. Implements interface §Training: GET /todo. */
export const todoRoutes: Routes = (on) => {
  on.get('/todo/me', {
    id: 'listOwnTodo',
    access: 'member',
    tag: 'To do',
    summary: 'List your own tasks',
    description: `Lists what the caller has to do: ${what}`,
    query: ListQuery,
    answers,
    errors: [platformErrors.noSuchRecord],
    read: async ({ db, actor, now, query }) =>
      page(await listPage(await listTodo(db, actor, actor.orgUserId, now), query, todoView)),
  })

  on.get('/todo', {
    id: 'listTodo',
    access: staff,
    tag: 'To do',
    summary: 'List the tasks of a member',
    description: `Lists what a member has to do: ${what}`,
    query: ListQuery.extend({ orgUserId: QueryMember.describe('The member: one id, or `me`') }),
    answers,
    errors: [platformErrors.noSuchRecord],
    read: async ({ db, actor, now, query }) =>
      page(await listPage(await listTodo(db, actor, membersOf(query.orgUserId, actor)[0]!, now), query, todoView)),
  })
}
