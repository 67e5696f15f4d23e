import { findOrgUser } from '../../identity/members/org-user.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { findCurrencyStates, type MemberCurrency } from '../../qualification/currencies/currency-state.queries.ts'
import { findPreparations } from './preparations.queries.ts'
import type { TodoScope } from './todo.types.ts'
import { selectTodo } from './todo-items.queries.ts'

export const todoSortKeys: SortKeys = {
  kind: byText('t.kind'),
  'subject.kind': byText('t.subjectKind'),
  'subject.id': byValue('t.subjectId'),
  'subject.title': byText('t.title'),
  since: byValue('t.since'),
  dueAt: byValue('t.dueAt'),
  'action.method': byText('t.method'),
  'action.path': byText('t.path'),
}

/**
 * Returns the to-do list of a member as a list source, longest wait first. It takes one query for an organization of
 * any size, in addition to the queries of the member's currencies and of planned practical tests. Implements interface §Training: GET /todo.
 */
export async function listTodo(db: Db, { organizationId, organization }: Actor, orgUserId: number, now: Date) {
  const member = await findOrgUser(db, organizationId, orgUserId)
  const states = await findCurrencyStates(db, { organizationId, zone: organization.timeZoneName }, [member], now)
  const preparations = await findPreparations(db, { organizationId, zone: organization.timeZoneName, now }, member)
  const query = db
    .selectFrom(selectTodo({ organizationId, member, now, renewals: renewalsOf(states), preparations }).as('t'))
    .selectAll('t')
    .orderBy('t.since')
    .orderBy('t.kind')
    .orderBy('t.subjectId')
    .orderBy('t.title')
  return pageable(db, query, todoSortKeys)
}

const DAY_MS = 86_400_000

/**
 * Returns the currencies that a member must renew, each once, with the instant of its first warning, or of its end when
 * somebody ended it. Currencies that are not enforced (`off`) are excluded.
 */
function renewalsOf(states: readonly MemberCurrency[]): TodoScope['renewals'] {
  const ends = states.flatMap(({ orgUserId, currency, status, expiresAt, endedEarly }) => {
    if (expiresAt === null || currency.enforcement === 'off' || !['expiring', 'expired'].includes(status)) return []
    const since = endedEarly ? expiresAt : new Date(expiresAt.getTime() - currency.warnDays * DAY_MS)
    return [{ subjectId: currency.id, title: currency.name, since, ...renewedBy(currency, orgUserId) }]
  })
  const first = Map.groupBy(ends, ({ subjectId }) => subjectId)
  return [...first.values()].map((same) => same.reduce((a, b) => (b.since < a.since ? b : a)))
}

/** The kinds of currency that are renewed by flights; the others are renewed by recording a date. */
const flownKinds: readonly string[] = [
  'recent_flights',
  'hours_in_model',
  'passenger_day',
  'passenger_night',
  'instrument',
]

function renewedBy({ id, kind }: MemberCurrency['currency'], orgUserId: number) {
  if (flownKinds.includes(kind)) return { method: 'POST', path: '/reservations' } as const
  return { method: 'PUT', path: `/orgUsers/${orgUserId}/currencies/${id}` } as const
}
