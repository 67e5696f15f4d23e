import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  type CurrencyTemplateData,
  currencyEnded,
  currencyExpiring,
  currencySelfRecorded,
  type SelfRecordedTemplateData,
} from '../../../shared/communication/notifications/templates/currency.rules.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findCurrencyStates, stateFor } from '../../../shared/qualification/currencies/currency-state.queries.ts'
import {
  type EndedCurrency,
  findCurrencyNotice,
  findEndedCurrency,
  findSelfRecorded,
} from '../../../shared/qualification/currencies/expiring.queries.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationDefinitions,
  type NotificationSources,
  withRole,
} from '../../communication/notifications/define-notification.ts'

type Currency = CurrencyTemplateData & { orgUserId: number }

/**
 * Returns a currency that has not expired and still ends at the time of its notice; null otherwise, for example after a
 * renewal.
 */
async function expiringCurrency(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<Currency | null> {
  const notice = await findCurrencyNotice(database.db, organizationId, subjectId)
  if (!notice) return null
  const { zone, scope, notifiedFor: expiresAt } = notice
  const states = await findCurrencyStates(database.db, { organizationId, zone }, [notice], clock())
  const state = stateFor(states, notice.currencyId, scope)
  if (!state || state.status === 'expired' || state.expiresAt?.getTime() !== expiresAt.getTime()) return null
  const { id: currencyId, name, kind, blocking } = state.currency
  return { currencyId, name: scope ? `${name}, ${scope}` : name, kind, blocking, expiresAt, zone, orgUserId: notice.id }
}

/**
 * Returns a currency record that a member recorded for themselves; null when it is deleted, or when somebody else
 * recorded it.
 */
async function selfRecorded(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<SelfRecordedTemplateData | null> {
  return (await findSelfRecorded(database.db, organizationId, subjectId)) ?? null
}

/** Returns a currency that somebody ended or that began again; null when the currency is deleted or the member left. */
async function endedCurrency(
  { database }: NotificationSources,
  { organizationId, eventId }: DomainEvent,
): Promise<EndedCurrency | null> {
  if (eventId === undefined) return null
  return (await findEndedCurrency(database.db, organizationId, eventId)) ?? null
}

/** Returns the member whose currency ended and the admins, as the audience. */
async function holderAndAdmins(
  { orgUserId }: EndedCurrency,
  sources: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  return members([...new Set([orgUserId, ...(await withRole(sources, organizationId, admins))])])
}

/** Returns the member who has the currency, as the audience. */
function holder({ orgUserId }: Currency): Audience {
  return members([orgUserId])
}

/** The notifications of currencies, by their kind. */
export const currencyNotifications = {
  currency_expiring: defineNotification(expiringCurrency, holder, currencyExpiring),
  currency_self_recorded: defineNotification(selfRecorded, everyone(admins), currencySelfRecorded),
  currency_ended: defineNotification(endedCurrency, holderAndAdmins, currencyEnded),
} satisfies Partial<NotificationDefinitions>
