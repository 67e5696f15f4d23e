import type { RuleSettings } from '../../platform/authz/rule-settings.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { checkAvailability, checkClosures, checkPeopleFree } from './availability.rules.ts'
import { checkBalance } from './balance.rules.ts'
import { checkPassengers, checkSolo, checkTimes, checkType } from './booking.rules.ts'
import type { BookingFacts, CurrencyFacts, SeatFacts } from './booking-facts.types.ts'
import { asksResource, checkCurrency } from './currency-check.rules.ts'
import { ineligible, mayKnowFitness, orderHiddenLast } from './disclosure.rules.ts'
import { checkDuty } from './duty.rules.ts'
import { checkApproval, checkDeclined, checkPeopleGrounded, checkResourceGrounded } from './fitness.rules.ts'
import { checkHeld, checkInspections } from './inspection.rules.ts'
import { checkLimits } from './limits.rules.ts'
import { checkMinimums } from './minimums.rules.ts'
import { givenFor, keptFor, lacksPaper, mayOverride } from './override.rules.ts'
import type { GivenOverride, KeptOverride } from './override.types.ts'
import { isSupervised } from './pilot.rules.ts'
import type { Finding, Judgement, Overridden, Problem } from './problems.ts'
import { checkCitizenship, checkDocuments, checkSoloEndorsements } from './qualifications.rules.ts'
import { checkRatings } from './rating-check.rules.ts'
import { checkHours, checkKind, checkResourceFree } from './resource.rules.ts'
import { type CatalogueKey, type RuleKey, ruleCatalogue, settingsOf } from './rule-catalogue.rules.ts'
import { checkSideLimits, checkSitting } from './seats.rules.ts'

/**
 * The subject of a check: the resource, one person, or the whole booking. A search for openings runs the checks on a
 * person once per start.
 */
type About = 'resource' | 'person' | 'booking'

type Find = (facts: BookingFacts) => Finding[]

/** The checks of the rules of the catalogue, in the order of their findings in a refusal. */
const catalogueChecks: readonly (readonly [CatalogueKey, About, Find])[] = [
  ['type_not_allowed', 'booking', checkType],
  ['booking_shape', 'booking', checkTimes],
  ['side_limit', 'booking', checkSideLimits],
  ['booking_shape', 'booking', checkSitting],
  ['booking_shape', 'booking', checkPassengers],
  ['booking_shape', 'booking', checkSolo],
  ['resource_clash', 'resource', checkResourceFree],
  ['booking_shape', 'resource', checkKind],
  ['person_clash', 'person', checkPeopleFree],
  ['availability', 'person', checkAvailability],
  ['resource_grounded', 'resource', checkResourceGrounded],
  ['resource_grounded', 'booking', checkHeld],
  ['person_grounded', 'person', checkPeopleGrounded],
  ['opening_hours', 'resource', checkHours],
  ['closed_period', 'resource', checkClosures],
  ['aircraft_approval', 'booking', checkApproval],
  ['booking_limits', 'booking', checkLimits],
  ['endorsement', 'booking', checkSoloEndorsements],
  ['pilot_rating', 'booking', checkRatings],
  ['inspection_due', 'booking', checkInspections],
  ['documents', 'person', checkDocuments],
  ['minimum_balance', 'booking', checkBalance],
  ['payment_declined', 'booking', checkDeclined],
  ['citizenship', 'booking', checkCitizenship],
  ['pilot_minimums', 'booking', checkMinimums],
  ['instructor_duty', 'person', checkDuty],
]

/** The checks whose findings, apart from `fix`, depend on who asks. */
const ofCaller: readonly Find[] = [checkType, checkTimes, checkPeopleGrounded, checkLimits, checkBalance, checkDeclined]

/** The checks of the whole booking, and of who is pilot in command, whose findings are the same with any resource. */
const ofCrew: readonly Find[] = [
  checkType,
  checkTimes,
  checkSideLimits,
  checkSitting,
  checkPassengers,
  checkSolo,
  checkPeopleGrounded,
  checkLimits,
  checkDeclined,
  checkCitizenship,
]

/** A check with its rule and the organization's settings of it. */
export interface Check {
  key: RuleKey
  about: About
  /** What its findings depend on, beside the times: the resource, each person alone, the crew without the resource, or both. */
  asks: About | 'crew'
  /** True when its findings, apart from `fix`, depend on the caller. */
  dependsOnCaller: boolean
  /** True when only staff and the person concerned may see its findings. */
  personal: boolean
  settings: RuleSettings
  find: Find
}

/**
 * Returns the checks of an organization: those of the catalogue and one per currency, without those that are off.
 * Implements interface §Booking rules.
 */
export function checksOf({ settings, currencies }: Pick<BookingFacts, 'settings' | 'currencies'>): Check[] {
  const ofCatalogue = catalogueChecks.map(([key, about, find]) => ({
    key,
    about,
    asks: ofCrew.includes(find) ? ('crew' as const) : about,
    dependsOnCaller: ofCaller.includes(find),
    find,
    settings: settingsOf(key, settings.rules),
    personal: 'personal' in ruleCatalogue[key],
  }))
  const ofCurrencies = currencies.map((currency) => ({
    key: `currency:${currency.id}` as const,
    // A check of the pilot in command is about the whole booking, because the pilot in command depends on the whole crew.
    about: currency.appliesTo === 'everyone' ? ('person' as const) : ('booking' as const),
    asks: asksOf(currency),
    dependsOnCaller: false,
    personal: true,
    settings: currency,
    find: checkCurrency(currency),
  }))
  return [...ofCatalogue, ...ofCurrencies].filter((check) => check.settings.enforcement !== 'off')
}

/** Returns the check of the weather limits; an empty list when the rule is off. */
export function weatherChecksOf(facts: BookingFacts): Check[] {
  return checksOf(facts).filter(({ key }) => key === 'pilot_minimums')
}

function asksOf(currency: CurrencyFacts): Check['asks'] {
  if (asksResource(currency)) return 'booking'
  return currency.appliesTo === 'everyone' ? 'person' : 'crew'
}

/**
 * Runs the checks of a booking on loaded facts. A finding of a blocking rule is a problem, a finding of a warning rule is a
 * warning; an overridden finding is neither. Findings hidden from the caller come last. A booking is accepted when it has
 * neither problems nor denied overrides. Creating, moving, checking, approving and finding openings all use this function.
 * Implements interface §Booking rules.
 */
export function judge(facts: BookingFacts, checks: readonly Check[] = checksOf(facts)): Judgement {
  const found = { block: [] as Problem[], warn: [] as Problem[], off: [] }
  const overridden: Overridden[] = []
  const denied: RuleKey[] = []
  for (const outcome of outcomesOf(facts, checks)) {
    const { check, finding, override } = outcome
    if (override === 'denied') denied.push(check.key)
    else if (override === 'paperless') found.block.push(paperless(outcome, facts))
    else if (override) overridden.push({ ...finding, rule: check.key, override })
    else found[check.settings.enforcement as 'block' | 'warn'].push(problemOf(outcome, facts))
  }
  const problems = orderHiddenLast(found.block)
  return { problems, warnings: orderHiddenLast(found.warn, problems), overridden, denied }
}

function asWarning(check: Check): Check {
  return { ...check, settings: { ...check.settings, enforcement: 'warn' } }
}

/**
 * A finding of a check, and the override that covers it; undefined when none does. Findings that do not apply under
 * supervision are left out.
 */
export interface Outcome {
  check: Check
  finding: Finding
  override: KeptOverride | GivenOverride | 'denied' | 'paperless' | undefined
}

/** Returns the problem of an override without the paper that it needs. One sentence answers everything that is wrong with it. */
export function paperless({ check: { key: rule }, finding }: Omit<Outcome, 'override'>, facts: BookingFacts): Problem {
  const given = givenFor(rule, finding, facts.overrides)
  const place = given ? facts.overrides.given.indexOf(given) : 0
  const field = `overrides.${place}.documentId`
  return { ...schedulingErrors.paperMissing({ field }), field, orgUserId: finding.orgUserId, rule, overridable: true }
}

/** Returns the findings that apply, in the order of the checks. Implements interface §Booking rules. */
export function outcomesOf(facts: BookingFacts, checks: readonly Check[]): Outcome[] {
  const outcomes: Outcome[] = []
  for (const check of checks) {
    for (const { warnsOnly, ...finding } of check.find(facts)) {
      const asked = warnsOnly ? asWarning(check) : check
      if (isLifted(asked, finding, facts)) continue
      outcomes.push({ check: asked, finding, override: overrideOf(asked, finding, facts) })
    }
  }
  return outcomes
}

/**
 * Returns the override that covers a finding; undefined when none does. A stored override comes first; an override of this
 * request is used only for a blocking finding. Returns `paperless` when it lacks the paper that it needs, and `denied` when
 * the caller's roles may not give it, but undefined when the finding is hidden from the caller.
 */
function overrideOf(check: Check, finding: Finding, facts: BookingFacts) {
  const { key, settings } = check
  const kept = keptFor(key, finding, facts)
  if (kept || settings.enforcement !== 'block') return kept
  const given = givenFor(key, finding, facts.overrides)
  if (!given) return given
  if (mayOverride(settings, finding, facts.actor)) return lacksPaper(key, finding, given, facts) ? 'paperless' : given
  return hiddenOf(check, finding, facts) ? undefined : 'denied'
}

/**
 * Returns whether a finding does not apply because an instructor is on board, where the rule's settings allow this. A
 * personal finding about the instructor always applies.
 */
function isLifted({ settings, personal }: Check, { orgUserId }: Finding, { seats }: BookingFacts): boolean {
  if (!settings.liftedWhenSupervised || !isSupervised(seats)) return false
  return !personal || !seats.some((seat) => seat.side === 'instructors' && seat.orgUserId === orgUserId)
}

/**
 * Returns the problem of a finding as the caller may see it; a hidden one names the person only. Implements
 * interface §Booking rules.
 */
export function problemOf({ check, finding }: Omit<Outcome, 'override'>, facts: BookingFacts): Problem {
  const { key, settings } = check
  const hidden = hiddenOf(check, finding, facts)
  if (hidden) return ineligible(hidden)
  const overridable = settings.enforcement === 'block' && mayOverride(settings, finding, facts.actor)
  return { ...finding, rule: key, overridable }
}

/** Returns the person whose details the finding would disclose to the caller; undefined when there is none. */
function hiddenOf({ personal }: Check, { orgUserId }: Finding, { actor, seats }: BookingFacts): SeatFacts | undefined {
  const seat = personal ? seats.find((one) => one.orgUserId === orgUserId) : undefined
  return seat && !mayKnowFitness(actor, seat) ? seat : undefined
}
