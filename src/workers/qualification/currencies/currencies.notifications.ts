import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import type { CurrencyTemplateData } from '../../../shared/communication/notifications/templates/currency.rules.ts'
import { findCurrencyEvidence, findCurrencyNotice } from '../../../shared/qualification/currencies/currency.queries.ts'
import { currencyStateAt } from '../../../shared/qualification/currencies/currency.rules.ts'
import { members, type NotificationSources } from '../../communication/notifications/define-notification.ts'

type Currency = CurrencyTemplateData & { orgUserId: number }

/** Loads a currency that has not expired yet and has the same end as in its notice, so it was not renewed since. */
export async function expiringCurrency(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<Currency | null> {
  const notice = await findCurrencyNotice(database.db, organizationId, subjectId)
  if (!notice) return null
  const { membership_id: orgUserId, told_for: expiresAt, zone } = notice
  const now = clock()
  const currencies = await findCurrencyEvidence(database.db, organizationId, {
    orgUserIds: [orgUserId],
    span: { start: now, end: now },
    enforcedOnly: false,
  })
  const currency = currencies.find(({ id }) => id === notice.currency_rule_id)
  if (!currency) return null
  const { name, kind, blocking, records, flights } = currency
  const evidence = { record: records[0] ?? null, flights: flights.map(({ flownAt }) => flownAt) }
  const state = currencyStateAt(now, currency, evidence, zone)
  if (state.status === 'expired' || state.expiresAt?.getTime() !== expiresAt.getTime()) return null
  return { currencyId: currency.id, name, kind, blocking, expiresAt, zone, orgUserId }
}

/** The member whose currency it is. */
export function holder({ orgUserId }: Currency): Audience {
  return members([orgUserId])
}
