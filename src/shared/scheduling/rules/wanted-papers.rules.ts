import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { SettingsFacts } from './booking-facts.types.ts'
import { trainingFlights } from './duty.rules.ts'
import { soloCodes } from './papers.rules.ts'
import { settingsOf } from './rule-catalogue.rules.ts'

/** What is loaded of people beside their times: documents of these categories, endorsements with these codes, training. */
export interface WantedPapers {
  documentCategories: readonly string[]
  verifiedOnly: boolean
  endorsementCodes: readonly string[]
  /** Whether the flight training that instructors give is counted. */
  training: boolean
  /** Whether the balances of the ledger are read. */
  balances: boolean
  /** Whether the weather and its limits are read, of what starts soon. */
  weather: boolean
}

/** Returns the papers that the rules ask of a type of booking. */
export function papersFor(
  type: ReservationType,
  settings: Pick<SettingsFacts, 'requiredDocuments' | 'rules'> & { requireVerifiedDocuments: boolean },
): WantedPapers {
  return {
    documentCategories: [...new Set(Object.values(settings.requiredDocuments).flat())],
    verifiedOnly: settings.requireVerifiedDocuments,
    endorsementCodes: type === 'solo' ? soloCodes : [],
    training: trainingFlights.includes(type),
    balances: settingsOf('minimum_balance', settings.rules).enforcement !== 'off',
    weather: settingsOf('pilot_minimums', settings.rules).enforcement !== 'off',
  }
}
