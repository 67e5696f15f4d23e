import { z } from 'zod'
import { listTodo } from '../../../shared/insight/todo/todo.queries.ts'
import { LEFT_AFTER_DAYS, type TodoRow, todoKinds, todoSubjects } from '../../../shared/insight/todo/todo.types.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, Id, Instant, membersOf, QueryMember } from '../../http/schemas.ts'

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
    dueAt: Instant.nullable().describe('The deadline for evidence in a dispute; null for all other tasks'),
    action: z
      .object({
        method: z.enum(['GET', 'POST', 'PUT', 'PATCH']),
        path: z.string(),
      })
      .describe(
        'The request that completes the task; the documentation of its endpoint describes the body and who may ' +
          'send it. For a dispute it is the request that reads the invoice, because disputes are answered at the ' +
          'payment processor',
      ),
  })
  .meta({ id: 'Todo' })

export function todoView(row: TodoRow): z.input<typeof Todo> {
  const { kind, subjectKind, subjectId, title, since, dueAt, method, path } = row
  const subject = { kind: subjectKind, id: subjectId, title }
  return { kind, subject, since: iso(since), dueAt: iso(dueAt), action: { method, path } }
}

const answers = { 200: envelope(z.array(Todo)) }
const what =
  'flights to ramp in, figures to confirm (also of a signed-off flight whose invoices wait for the payer), records to ' +
  'write, sign and countersign, and endorsements and currencies to renew. ' +
  'Desk staff also get booking requests to decide and plans with a maintenance booking to apply and cancellation fees that nothing charges by itself; admins get flights to invoice, refunds to approve, disputes to ' +
  'answer and payments to reverse that a cashier asked for; admins and technicians get open squawks. The longest waiting comes first. ' +
  `Tasks that have waited for more than ${LEFT_AFTER_DAYS} days are left out.`

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
