import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { SettingsFacts } from './booking-facts.types.ts'
import { trainingFlights } from './duty.rules.ts'
import { soloCodes } from './papers.rules.ts'
import { settingsOf } from './rule-catalogue.rules.ts'

/** The facts of people to load besides their times. */
export interface WantedPapers {
  documentCategories: readonly string[]
  verifiedOnly: boolean
  endorsementCodes: readonly string[]
  /** Whether the flight training that instructors give is counted. */
  training: boolean
  /** Whether the balances of the ledger are read. */
  balances: boolean
  /** Whether it is read that the citizenship is verified. */
  citizenship: boolean
  /** Whether the weather and the pilots' limits are read, for flights that start soon. */
  weather: boolean
}

/** Returns the facts that the rules need for a type of booking. Implements interface §Booking rules. */
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
    citizenship: settingsOf('citizenship', settings.rules).enforcement !== 'off',
    weather: settingsOf('pilot_minimums', settings.rules).enforcement !== 'off',
  }
}
