import type { PersonRow } from '../../identity/members/named.queries.ts'
import type { Role, RoleFlags } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { type CurrencyWithEvidence, evidenceOf, findCurrencyEvidence } from './currency.queries.ts'
import type { EndReason } from './currency.rules.ts'
import { scopeKey, scopesOf } from './currency-scopes.rules.ts'
import { type CurrencyState, currencyStateAt, type RecordedDates } from './currency-state.rules.ts'
import { scopesOfHours } from './hours-in-model.rules.ts'
import type { AircraftScope } from './recency.types.ts'

/** The state of a member in one currency; `scope` is the aircraft, where the currency depends on the aircraft. */
export interface MemberCurrency extends CurrencyState {
  orgUserId: number
  /** The place in the list of the member's states: by currency, then by aircraft. */
  place: number
  currency: Pick<CurrencyWithEvidence, 'id' | 'name' | 'kind' | 'blocking' | 'requires' | 'enforcement' | 'warnDays'>
  scope: AircraftScope | null
  /** The recorded dates, the document that proves them, and whether the member recorded them. */
  record: RecordedDates | null
  documentId: number | null
  selfRecorded: boolean
  /** The day on which somebody ended it, and why; the reason and the note are for the member and the admins alone. */
  endedOn: string | null
  endedBecause: EndReason | null
  endedNote: string | null
  mergedFrom: PersonRow | null
}

type OneMember = { id: number } & RoleFlags

/**
 * Returns the states of members in every currency that applies to their roles or is recorded for them, by member and
 * currency. A currency that depends on the aircraft has one state per kind of aircraft that the member flew in the last 365
 * days; one of hours per model or class.
 */
export async function findCurrencyStates(
  db: Db,
  { organizationId, zone }: { organizationId: number; zone: string },
  members: readonly OneMember[],
  now: Date,
): Promise<MemberCurrency[]> {
  const currencies = await findCurrencyEvidence(db, organizationId, {
    orgUserIds: members.map(({ id }) => id),
    span: { start: now, end: now },
    enforcedOnly: false,
  })
  return members.flatMap((member) => currencies.flatMap((currency) => statesOf(member, currency, now, zone)))
}

/** The most kinds of aircraft that have a `place` of their own; no member flies so many in a year. */
const MOST_SCOPES = 100

function statesOf(member: OneMember, currency: CurrencyWithEvidence, now: Date, zone: string): MemberCurrency[] {
  const { roles } = currency
  const evidence = evidenceOf(currency, member.id)
  const record = currency.records.find(({ orgUserId }) => orgUserId === member.id) ?? null
  if (roles.length > 0 && !roles.some((role: Role) => member[role]) && !record) return []
  const { requires, kind } = currency
  const scopes =
    requires.kind === 'hours_in_model'
      ? scopesOfHours(requires.scope, evidence.hours)
      : scopesOf(kind, evidence.pilot, now, zone)
  return scopes.map((scope, index) => ({
    orgUserId: member.id,
    place: currency.id * MOST_SCOPES + Math.min(index, MOST_SCOPES - 1),
    currency,
    scope,
    record,
    documentId: record?.documentId ?? null,
    selfRecorded: record !== null && record.recordedBy === member.id,
    endedOn: record?.endedOn ?? null,
    endedBecause: record?.endedBecause ?? null,
    endedNote: record?.endedNote ?? null,
    mergedFrom: record?.mergedFrom ?? null,
    ...currencyStateAt(now, currency, evidence, zone, scope),
  }))
}

/** Returns the state of a currency for a `scopeKey`; null when there is none. */
export function stateFor(states: readonly MemberCurrency[], currencyId: number, scope: string): MemberCurrency | null {
  return states.find((one) => one.currency.id === currencyId && scopeKey(one.scope) === scope) ?? null
}
