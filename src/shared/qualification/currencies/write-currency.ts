import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { Currency } from '../qualification.tables.ts'
import { assertHasResources, lockCurrency } from './currency.access.ts'
import { type currencyAudiences, type currencyKinds, type EnforcementInput, enforcementOf } from './currency.rules.ts'
import type { HoursScope } from './hours-in-model.rules.ts'
import type { MedicalPrivilege } from './medical.rules.ts'
import { recordRuleChange } from './record-rule-change.ts'

/**
 * The fields of a currency; `validCalendarMonths` is for expiring currencies, `count` and `days` are for recent flights;
 * `deciHours`, `days` and `scope` for hours in aircraft.
 */
export interface CurrencyInput extends RuleSettings {
  name: string
  kind: (typeof currencyKinds)[number]
  roles: Role[]
  reservationTypes: ReservationType[]
  resourceIds: number[]
  appliesTo: (typeof currencyAudiences)[number]
  warnDays: number
  validCalendarMonths: number | null
  count: number | null
  days: number | null
  deciHours: number | null
  /** For hours; null means in the make and model. */
  scope: HoursScope | null
  /** For medicals; null means private. */
  privilege: MedicalPrivilege | null
}

/** A currency as a request gives it. */
export type NewCurrency = Omit<CurrencyInput, 'enforcement'> & EnforcementInput

/** Adds a currency. Implements interface §Currencies. */
export async function createCurrency(tx: Tx, actor: Actor, given: NewCurrency): Promise<{ id: number }> {
  const input = { ...given, enforcement: enforcementOf(given) }
  checkKind(input)
  await assertHasResources(tx, actor, input.resourceIds)
  const rule = tx.em.create(Currency, { organizationId: actor.organizationId, ...columnsOf(input) })
  await tx.em.flush()
  const { id } = rule
  recordRuleChange(tx, actor, { kind: 'currency', id }, { after: columnsOf(input) })
  return { id }
}

/** Changes the given fields of a currency; the kind cannot change. Implements interface §Currencies. */
export async function updateCurrency(
  tx: Tx,
  actor: Actor,
  id: number,
  changes: Partial<NewCurrency>,
): Promise<{ id: number }> {
  const rule = await lockCurrency(tx, actor, id)
  if (changes.kind !== undefined && changes.kind !== rule.kind) throw qualificationErrors.kindFixed()
  const enforcement = enforcementOf(changes, rule.enforcement)
  const merged: CurrencyInput = { ...inputOf(rule), ...defined(changes), enforcement }
  checkKind(merged)
  if (changes.resourceIds) await assertHasResources(tx, actor, changes.resourceIds)
  const [before, after] = [columnsOf(inputOf(rule)), columnsOf(merged)]
  tx.em.assign(rule, after)
  recordRuleChange(tx, actor, { kind: 'currency', id }, { before, after })
  return { id }
}

/** Deletes a currency with its recorded dates. Implements interface §Currencies. */
export async function deleteCurrency(tx: Tx, actor: Actor, id: number): Promise<void> {
  const rule = await lockCurrency(tx, actor, id)
  const before = columnsOf(inputOf(rule))
  recordRuleChange(tx, actor, { kind: 'currency', id }, { before })
  tx.em.remove(rule)
}

/** The fields that only one kind has, with this kind and the error for other kinds. */
const ofKind = {
  count: ['recent_flights', qualificationErrors.countOfFlights],
  deciHours: ['hours_in_model', qualificationErrors.hoursOfModel],
  scope: ['hours_in_model', qualificationErrors.scopeOfHours],
  validCalendarMonths: ['expiring', qualificationErrors.monthsOfExpiring],
  privilege: ['medical', qualificationErrors.privilegeOfMedical],
} as const

function checkKind(input: CurrencyInput): void {
  for (const [field, [kind, refusal]] of Object.entries(ofKind) as [keyof typeof ofKind, (typeof ofKind)['count']][]) {
    if (input.kind !== kind && input[field] !== null) throw refusal()
  }
  if (input.kind === 'hours_in_model' && input.deciHours === null) throw qualificationErrors.hoursMissing()
  if (input.kind === 'hours_in_model') return
  if (input.kind !== 'recent_flights' && input.days !== null) throw qualificationErrors.daysOfFlights()
  if (input.kind !== 'recent_flights') return
  if (input.count === null) throw qualificationErrors.countMissing()
  if (input.days === null) throw qualificationErrors.daysMissing()
}

function inputOf(rule: Currency): CurrencyInput {
  const { flightCount: count = null, flightDays: days = null, validCalendarMonths = null, ...rest } = rule
  const { deciHours = null, scopeOfHours: scope = null, privilege = null } = rule
  return { ...rest, count, days, deciHours, scope, validCalendarMonths, privilege }
}

function columnsOf(input: CurrencyInput) {
  const { name, kind, roles, reservationTypes, resourceIds, warnDays, validCalendarMonths } = input
  const { enforcement, liftedWhenSupervised, overridableBy, appliesTo } = input
  return {
    name,
    kind,
    roles,
    reservationTypes,
    resourceIds,
    warnDays,
    validCalendarMonths,
    enforcement,
    liftedWhenSupervised,
    overridableBy,
    appliesTo,
    flightCount: input.count,
    flightDays: input.days,
    deciHours: input.deciHours,
    scopeOfHours: input.kind === 'hours_in_model' ? (input.scope ?? 'make_model') : null,
    privilege: input.kind === 'medical' ? (input.privilege ?? 'private') : null,
  }
}

function defined<T extends object>(changes: T): Partial<T> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<T>
}
