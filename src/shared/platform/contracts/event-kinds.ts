import { askingEvents } from './asking-events.ts'
import type { SubjectKind } from './subject-kinds.ts'

/** The subject of a kind of event, and the keys that its `before` and `after` may have. */
interface EventKindRule {
  subject: SubjectKind
  keys: readonly string[]
  /** Webhooks send events of this kind. */
  public?: true
}

const places = ['expectedBackAt', 'start', 'end', 'resourceId', 'locationId', 'personnel', 'operationId'] as const
const departure = ['hobbsOut', 'tachOut', 'acknowledgedSquawkIds', 'grounded'] as const
const meters = ['hobbsTimeOut', 'hobbsTimeIn', 'tachTimeOut', 'tachTimeIn', 'briefing'] as const
// `loosened`: the controls of money that become less strict, and from which instant.
const organizations = ['name', 'organizationType', 'showInDirectory', 'private', 'settings', 'loosened'] as const
const rates = [
  'dryRateCents',
  'wetRateCents',
  'flightRateCents',
  'groundRateCents',
  'simRateCents',
  'taxExempt',
  'billingMode',
  // Whether the actor changes their own rates.
  'own',
] as const
const pay = ['flightPayCents', 'groundPayCents', 'simPayCents', 'own'] as const
// `accepted`: whether the payer has accepted. `documentId`: the paper that a payer without an account signed.
const billTo = ['billToOrgUserId', 'accepted', 'ledger', 'autopay', 'maxCentsPerMonth', 'documentId'] as const
const amounts = ['number', 'totalCents', 'currency'] as const
const fees = ['feeId', 'amountCents', 'orgUserId'] as const
const webhooks = ['url', 'events', 'active'] as const
const documents = ['orgUserId', 'category', 'status'] as const
const tests = ['orgUserId', 'testKind', 'result'] as const
const plannedTests = ['plannedTestAt', 'plannedApplicationAt', 'resourceId'] as const
const grants = ['grant', 'courseId'] as const
const rules = [
  'key',
  'name',
  'kind',
  'roles',
  'reservationTypes',
  'resourceIds',
  'enforcement',
  'liftedWhenSupervised',
  'overridableBy',
  'appliesTo',
  'warnDays',
  'validCalendarMonths',
  'flightCount',
  'deciHours',
  'scopeOfHours',
  'flightDays',
  'privilege',
] as const
const minimums = ['ceilingFeet', 'visibilityMiles', 'windKnots', 'gustKnots', 'crosswindKnots'] as const
// `own`: whether the actor posts to their own account.
const postings = ['entryId', 'kind', 'amountCents', 'invoiceId', 'reservationId', 'own'] as const

/**
 * The kinds of events, named `<subject>.<verb>`. The list is closed; a test fails for a kind that no use case emits.
 * `keys` never name a secret, token, address, note, profile field or medical detail.
 */
export const eventKinds = {
  'reservation.created': { subject: 'reservation', keys: ['partOf', 'operationId'], public: true },
  'reservation.changed': { subject: 'reservation', keys: places, public: true },
  'reservation.cancelled': {
    subject: 'reservation',
    keys: ['category', 'owedBackCents', 'partOf', 'notify', 'operationId'],
    public: true,
  },
  'reservation.restored': { subject: 'reservation', keys: [], public: true },
  'reservation.ramped_out': { subject: 'reservation', keys: departure, public: true },
  'reservation.ramp_out_refused': { subject: 'reservation', keys: [] },
  'reservation.ramped_in': { subject: 'reservation', keys: ['hobbsIn', 'tachIn'], public: true },
  'reservation.signed_off': { subject: 'reservation', keys: [], public: true },
  'reservation.invoice_failed': { subject: 'reservation', keys: [] },
  'reservation.confirmed': { subject: 'reservation', keys: ['side', 'onBehalfOf', 'agrees'] },
  // `kept`: whether the signatures stand.
  'reservation.corrected': { subject: 'reservation', keys: [...meters, 'own', 'kept'] },
  'reservation.objected': { subject: 'reservation', keys: ['onBehalfOf'] },
  'reservation.objections_closed': { subject: 'reservation', keys: ['orgUserIds'] },
  'reservation.reopened': { subject: 'reservation', keys: ['signedOffAt', 'confirmations'] },
  'reservation.logged': { subject: 'reservation', keys: ['rows'] },
  'reservation.payers_changed': { subject: 'reservation', keys: ['payers', 'own'] },
  'reservation.lessons_planned': { subject: 'reservation', keys: [] },
  'reservation.seat_freed': { subject: 'reservation', keys: ['orgUserId', 'side'] },
  'reservation.rule_overridden': {
    subject: 'reservation',
    // `characters` is the length of the reason. The reason itself may be medical and is stored with the override only.
    keys: ['overrideId', 'rule', 'orgUserId', 'characters', 'self'],
  },
  // The fee of a late cancellation.
  'fee.proposed': { subject: 'reservation', keys: fees },
  'fee.objected': { subject: 'reservation', keys: fees },
  'fee.waived': { subject: 'reservation', keys: fees },
  'fee.charged': { subject: 'reservation', keys: [...fees, 'invoiceId'] },
  'invoice.raised': { subject: 'invoice', keys: amounts, public: true },
  // `invoice.raised` is emitted once per invoice, and `invoice.reissued` each time that the amount to pay changes after it.
  'invoice.reissued': { subject: 'invoice', keys: [...amounts, 'dueCents'], public: true },
  'invoice.paid': { subject: 'invoice', keys: ['settlement', 'raisedPaid'], public: true },
  // `own`, here and below: whether the actor pays the invoice.
  'invoice.voided': { subject: 'invoice', keys: ['status', 'own'], public: true },
  'invoice.changed': { subject: 'invoice', keys: ['totalCents', 'dueAt', 'own'] },
  'invoice.credited': {
    subject: 'invoice',
    // `own`: whether the actor pays the invoice. `ownPayment`: whether the actor refunds a payment that the actor recorded.
    // `reissued`: whether the payer is asked to pay the rest.
    keys: ['number', 'amountCents', 'refund', 'refundCents', 'own', 'ownPayment', 'reissued'],
    public: true,
  },
  'invoice.credit_refunded': {
    subject: 'invoice',
    keys: ['number', 'refund', 'refundCents', 'own', 'ownPayment'],
    public: true,
  },
  // `own`: whether the actor pays the invoice.
  'invoice.payment_recorded': { subject: 'invoice', keys: ['amountCents', 'method', 'own'] },
  'invoice.payment_returned': { subject: 'invoice', keys: ['amountCents'] },
  'invoice.reversal_asked': { subject: 'invoice', keys: ['amountCents'] },
  'invoice.payment_reversed': { subject: 'invoice', keys: ['amountCents'] },
  'invoice.refund_decided': { subject: 'invoice', keys: ['approved', 'own'] },
  'invoice.disputed': { subject: 'invoice', keys: ['status', 'amountCents', 'evidenceDueAt'] },
  'invoice.reminded': { subject: 'invoice', keys: [] },
  ...askingEvents,
  'training_record.signed': { subject: 'training_record', keys: [], public: true },
  'training_test.recorded': { subject: 'training_test', keys: tests },
  'training_test.changed': { subject: 'training_test', keys: tests },
  'enrollment.test_planned': { subject: 'enrollment', keys: plannedTests },
  'enrollment.graduated': { subject: 'enrollment', keys: [], public: true },
  'enrollment.packet_documents_replaced': { subject: 'enrollment', keys: ['documentIds'] },
  'enrollment.instructor_changed': { subject: 'enrollment', keys: ['instructorOrgUserId'] },
  'endorsement.issued': { subject: 'endorsement', keys: ['orgUserId', 'code', 'operationId'] },
  'endorsement.confirmed': { subject: 'endorsement', keys: [] },
  'endorsement.disowned': { subject: 'endorsement', keys: [] },
  'resource.grounded': { subject: 'resource', keys: ['groundedBy'], public: true },
  'resource.returned': { subject: 'resource', keys: [], public: true },
  'pool.changed': { subject: 'resource', keys: ['pool'] },
  'resource.endorsed_as_changed': { subject: 'resource', keys: ['endorsedAs'] },
  'meter.changed': { subject: 'resource', keys: ['meter', 'reading'] },
  'maintenance.completion_undone': { subject: 'resource', keys: ['reminderId', 'completionIds', 'doneAt'] },
  'squawk.opened': { subject: 'squawk', keys: ['resourceId', 'severity'], public: true },
  'squawk.resolved': { subject: 'squawk', keys: ['resourceId'], public: true },
  'invitation.created': { subject: 'invitation', keys: ['roles'] },
  'invitation.deleted': { subject: 'invitation', keys: ['roles'] },
  'join_request.submitted': { subject: 'join_request', keys: [] },
  'join_request.approved': { subject: 'join_request', keys: ['roles'] },
  'join_request.declined': { subject: 'join_request', keys: [] },
  'member.created': { subject: 'member', keys: ['roles'] },
  'member.changed': { subject: 'member', keys: ['fields'] },
  'member.claimed': { subject: 'member', keys: [] },
  'member.recognized': { subject: 'member', keys: ['orgUserId'] },
  'member.merged': { subject: 'member', keys: ['fromOrgUserId', 'moved'] },
  'member.joined': { subject: 'member', keys: ['roles'] },
  'member.roles_changed': { subject: 'member', keys: ['roles'] },
  'member.bill_to_changed': { subject: 'member', keys: billTo },
  'member.erased': { subject: 'member', keys: [] },
  'member.removed': { subject: 'member', keys: ['roles'] },
  'member.grounded': { subject: 'member', keys: [] },
  'member.returned': { subject: 'member', keys: [] },
  'profile.changed': { subject: 'member', keys: [] },
  'profile.verified': { subject: 'member', keys: [] },
  'member.read_widely': { subject: 'member', keys: [] },
  'profile.read': { subject: 'member', keys: [] },
  'packet.read': { subject: 'member', keys: [] },
  // A cashier read the ledger or statement of the member, or the balances of all (of the organization).
  'ledger.read': { subject: 'member', keys: [] },
  'insurance.read': { subject: 'organization', keys: [] },
  'stalled.read': { subject: 'organization', keys: [] },
  'balances.read': { subject: 'organization', keys: [] },
  'minimums.changed': { subject: 'member', keys: minimums },
  'notifications.turned_off': { subject: 'member', keys: ['kind', 'channels'] },
  'export.started': { subject: 'organization', keys: ['operationId'] },
  'export.finished': { subject: 'organization', keys: ['operationId'] },
  'person_export.started': { subject: 'member', keys: ['operationId'] },
  'person_export.downloaded': { subject: 'member', keys: ['operationId'] },
  'export.downloaded': { subject: 'organization', keys: ['operationId'] },
  'organization.changed': { subject: 'organization', keys: organizations },
  'rates.changed': { subject: 'resource' as 'resource' | 'member', keys: rates },
  // `own`: whether the actor changes their own pay rates.
  'pay_rates.changed': { subject: 'member', keys: pay },
  // `own`: whether the actor changes their own autopay.
  'autopay.changed': { subject: 'member', keys: ['autopay', 'autopayMaxCents', 'own'] },
  'autopay.declined': { subject: 'invoice', keys: ['attempt', 'last'] },
  'autopay.payer_asked': { subject: 'invoice', keys: ['because'] },
  // `own`: whether it is the actor's own card.
  'payment_method.asked_for': { subject: 'member', keys: ['own'] },
  'payment_method.removed': { subject: 'member', keys: ['own'] },
  // `own`: whether the pay run pays the actor.
  'pay_run.created': { subject: 'pay_run', keys: ['startDate', 'endDate', 'amountCents', 'own'] },
  'grant.given': { subject: 'member', keys: grants },
  'grant.withdrawn': { subject: 'member', keys: grants },
  'rule.changed': { subject: 'currency' as 'currency' | 'organization', keys: rules },
  'currency.ended': { subject: 'member', keys: ['currencyId', 'on', 'operationId'] },
  'currency.resumed': { subject: 'member', keys: ['currencyId', 'operationId'] },
  // `asserted`: no record bears the cause.
  'recovery.planned': { subject: 'operation', keys: ['displaced', 'left', 'asserted'] },
  'recovery.applied': { subject: 'operation', keys: ['operationIds', 'reservationIds', 'offerIds', 'given'] },
  'recovery.ended': { subject: 'operation', keys: [] },
  'closure.created': { subject: 'closure', keys: ['start', 'end', 'locationId', 'resourceId', 'count'] },
  'closure.deleted': { subject: 'closure', keys: [] },
  'approval.given': { subject: 'member', keys: ['resourceId', 'make', 'model', 'expiresAt'] },
  'approval.withdrawn': { subject: 'member', keys: ['resourceId', 'make', 'model'] },
  'ledger.posted': { subject: 'member', keys: postings },
  'ledger.reversed': { subject: 'member', keys: postings },
  'session.started': { subject: 'member', keys: [] },
  'session.refused': { subject: 'member', keys: [] },
  'password.changed': { subject: 'member', keys: [] },
  'document.created': { subject: 'document', keys: documents },
  'document.changed': { subject: 'document', keys: documents },
  'document.verified': { subject: 'document', keys: documents },
  'document.rejected': { subject: 'document', keys: documents },
  'document.deleted': { subject: 'document', keys: documents },
  'document.read': { subject: 'document', keys: documents },
  'operator.acted': { subject: 'member' as 'member' | 'organization', keys: ['command'] },
  'package.changed': {
    subject: 'package',
    keys: ['name', 'priceCents', 'unit', 'grantQuantity', 'expiresAfterDays', 'active'],
  },
  'webhook.created': { subject: 'webhook', keys: webhooks },
  'webhook.changed': { subject: 'webhook', keys: webhooks },
  'webhook.secret_rotated': { subject: 'webhook', keys: ['immediately'] },
  'webhook.deleted': { subject: 'webhook', keys: webhooks },
} as const satisfies Record<string, EventKindRule>

type EventKinds = typeof eventKinds

export type EventKind = keyof EventKinds

/** The kind of record that events of this kind are about. */
export type SubjectOf<K extends EventKind> = EventKinds[K]['subject']

/** The keys that `before` and `after` of this kind may have. */
export type KeyOf<K extends EventKind> = EventKinds[K]['keys'][number]

/** The kinds that webhooks send. */
export type PublicEventKind = { [K in EventKind]: EventKinds[K] extends { public: true } ? K : never }[EventKind]

/** The kinds that webhooks send, in the order of the interface. */
export const publicEventKinds = (Object.keys(eventKinds) as EventKind[]).filter(isPublic)

/** Returns whether webhooks send this kind. */
export function isPublic(kind: EventKind): kind is PublicEventKind {
  return 'public' in eventKinds[kind]
}
