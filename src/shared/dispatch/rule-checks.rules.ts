import type { BookingFacts, SeatFacts } from '../scheduling/rules/booking-facts.types.ts'
import { ineligible, mayKnowFitness } from '../scheduling/rules/disclosure.rules.ts'
import {
  type Check,
  checksOf,
  type Outcome,
  outcomesOf,
  paperless,
  problemOf,
} from '../scheduling/rules/judge.rules.ts'
import type { Finding } from '../scheduling/rules/problems.ts'
import { isCatalogueKey, type RuleKey, ruleCatalogue } from '../scheduling/rules/rule-catalogue.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { CheckStatus, CheckSubject, Release, ReleaseCheck, ReleaseFacts } from './release.types.ts'

/** The rules about the member who books; they do not apply to a release. */
const ofBooker: readonly RuleKey[] = ['type_not_allowed', 'booking_limits']

type Judged = Pick<ReleaseFacts, 'booking' | 'reservation' | 'callerName'>

/**
 * Returns one check per booking rule and subject, met ones included. For a person whose fitness the caller may not know, a single check
 * combines all rules about that person. Implements interface §Dispatch.
 */
export function ruleChecks(facts: Judged): Pick<Release, 'checks' | 'overridden' | 'denied' | 'paperless'> {
  const asked = checksOf(facts.booking).filter(({ key }) => !ofBooker.includes(key))
  const outcomes = outcomesOf(facts.booking, asked)
  const found = outcomes.map((outcome) => foundCheck(outcome, facts))
  const met = asked.flatMap((check) => subjectsOf(check, facts).map((subject) => metCheck(check, subject, facts)))
  // A check of the whole booking is met when it found nothing of anybody.
  const isFound = ({ rule, subject }: ReleaseCheck) =>
    found.some((one) => one.rule === rule && (subject.reservationId !== undefined || isSame(one.subject, subject)))
  const told = [...found, ...met.filter((one) => !isFound(one))]
  const visible = told.filter(({ rule }) => rule !== 'eligibility')
  return {
    checks: [...onceEach(visible), ...strangers(facts).map((seat) => eligibility(seat, told))],
    overridden: outcomes.flatMap(({ check, finding, override }) =>
      typeof override === 'object' ? [{ ...finding, rule: check.key, override }] : [],
    ),
    paperless: outcomes.flatMap((one) => (one.override === 'paperless' ? [paperless(one, facts.booking)] : [])),
    denied: outcomes.flatMap(({ check, override }) => (override === 'denied' ? [check.key] : [])),
  }
}

/** Returns the check of a finding. Its status is `ok` when an override meets it, otherwise the enforcement of the rule. */
function foundCheck(outcome: Outcome, facts: Judged): ReleaseCheck {
  const { check, finding, override } = outcome
  const problem = problemOf(outcome, facts.booking)
  const { rule, code, message, overridable, fix } = problem
  const subject = subjectOf(finding, facts)
  const status = check.settings.enforcement as CheckStatus
  if (typeof override !== 'object') return { rule, code, status, message, subject, overridable, fix }
  const caller = { orgUserId: facts.booking.actor.orgUserId, name: facts.callerName }
  const overriddenBy = 'by' in override ? override.by : caller
  return { rule, code, status: 'ok', message, subject, overridable: false, overriddenBy }
}

function metCheck(check: Check, subject: CheckSubject, { booking }: Judged): ReleaseCheck {
  const { key } = check
  const title = isCatalogueKey(key) ? ruleCatalogue[key].title : currencyName(key, booking)
  return {
    rule: key,
    code: 'MET',
    status: 'ok',
    message: dispatchErrors.checkMet({ title }),
    subject,
    overridable: false,
  }
}

function currencyName(key: RuleKey, { currencies }: BookingFacts): string {
  return currencies.find(({ id }) => key === `currency:${id}`)?.name ?? key
}

/** Returns the subjects of a rule whose results the caller may know. */
function subjectsOf({ about, personal }: Check, { booking, reservation }: Judged): CheckSubject[] {
  const { seats, resource, actor } = booking
  if (about === 'resource') return resource ? [{ resourceId: resource.id, name: resource.name }] : []
  if (about === 'booking') {
    const knows = !personal || seats.every((seat) => mayKnowFitness(actor, seat))
    return knows ? [{ reservationId: reservation.id, name: reservation.title }] : []
  }
  return seats
    .filter((seat) => seat.orgUserId !== null && (!personal || mayKnowFitness(actor, seat)))
    .map(({ orgUserId, name }) => ({ orgUserId: orgUserId!, name }))
}

function subjectOf({ orgUserId, resourceId }: Finding, { booking, reservation }: Judged): CheckSubject {
  const seat = orgUserId === undefined ? undefined : booking.seats.find((one) => one.orgUserId === orgUserId)
  if (seat) return { orgUserId, name: seat.name }
  if (resourceId !== undefined && booking.resource) return { resourceId, name: booking.resource.name }
  return { reservationId: reservation.id, name: reservation.title }
}

/** Returns the seated members whose fitness the caller may not know. */
function strangers({ booking: { seats, actor } }: Judged): SeatFacts[] {
  return seats.filter((seat) => seat.orgUserId !== null && !mayKnowFitness(actor, seat))
}

const severity: readonly CheckStatus[] = ['ok', 'warn', 'block']

/**
 * Returns the single check of a person whose details the caller may not know, with the worst status of all rules about
 * that person.
 */
function eligibility(seat: SeatFacts, told: readonly ReleaseCheck[]): ReleaseCheck {
  const subject = { orgUserId: seat.orgUserId ?? undefined, name: seat.name }
  const about = told.filter(({ rule, subject: other }) => rule === 'eligibility' && isSame(other, subject))
  const status = about
    .map((one) => one.status)
    .reduce((a, b) => (severity.indexOf(a) > severity.indexOf(b) ? a : b), 'ok')
  const { code, message } = ineligible(seat)
  const met = { code: 'MET' as const, message: dispatchErrors.checkMet({ title: schedulingErrors.eligibility() }) }
  return { rule: 'eligibility', ...(status === 'ok' ? met : { code, message }), status, subject, overridable: false }
}

function isSame(a: CheckSubject, b: CheckSubject): boolean {
  return a.orgUserId === b.orgUserId && a.resourceId === b.resourceId && a.reservationId === b.reservationId
}

/**
 * Returns the checks without those that say the same of a rule and subject. A rule can have several checks, for example of the shape of
 * a booking, and find the same of several fields, such as start and end outside the opening hours. A met check is left out beside any
 * other of its rule and subject.
 */
function onceEach(checks: readonly ReleaseCheck[]): ReleaseCheck[] {
  return checks.filter(
    ({ rule, subject, code, message }, at) =>
      checks.findIndex(
        (other) =>
          other.rule === rule && isSame(other.subject, subject) && (code === 'MET' || other.message === message),
      ) === at,
  )
}
