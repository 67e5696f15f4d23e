import type { InferKyselyDB } from '@mikro-orm/sql'
import {
  AutopayCharge,
  CreditNote,
  GatewayCustomer,
  GatewayEvent,
  GatewayLook,
  Invoice,
  InvoiceItem,
  Payment,
} from '../billing/invoices.tables.ts'
import { LedgerEntry } from '../billing/ledger.tables.ts'
import { Package, PackagePurchase, PackageUse } from '../billing/packages.tables.ts'
import { PayLine, PayRun } from '../billing/pay-runs.tables.ts'
import {
  Announcement,
  AnnouncementGroup,
  AnnouncementMailing,
  AnnouncementNotice,
  AnnouncementRead,
  ConnectedAccount,
  ConnectionState,
  EndedMail,
  MailCount,
  Notification,
  NotificationPreference,
} from '../communication/communication.tables.ts'
import { WebhookDelivery, WebhookEndpoint, WebhookEvent, WebhookRate } from '../communication/webhooks.tables.ts'
import { ChargeNotice, Confirmation, FlightLog, PayerStake } from '../dispatch/dispatch.tables.ts'
import {
  MaintenanceCompletion,
  MaintenanceItem,
  MaintenanceLimit,
  MaintenanceSatisfaction,
  MeterChange,
  Resource,
  ResourceFile,
  Squawk,
} from '../fleet/fleet.tables.ts'
import { Account, MailToken, PushDevice, SignInNetwork } from '../identity/accounts.tables.ts'
import {
  Availability,
  GroupMember,
  Guest,
  MemberGroup,
  MemberProfile,
  Membership,
  TimeOff,
} from '../identity/members.tables.ts'
import {
  DeletedOrganization,
  Invitation,
  JoinRequest,
  Location,
  Organization,
} from '../identity/organizations.tables.ts'
import { ReportView } from '../insight/insight.tables.ts'
import { connectDatabase, type Database, type DatabaseOptions } from '../platform/db/database.ts'
import { subscribedKinds } from '../platform/events/fan-out.ts'
import {
  BackupMark,
  Delivery,
  Event,
  IdempotencyKey,
  JobMark,
  Operation,
  OperationFile,
  OperationRow,
  Outbox,
  UndeliveredMail,
} from '../platform/platform.tables.ts'
import { ImportFile, ImportRow } from '../portability/portability.tables.ts'
import {
  CurrencyNotice,
  CurrencyRecord,
  CurrencyRule,
  Document,
  PilotMinimumsRow,
  ResourceApproval,
} from '../qualification/qualification.tables.ts'
import {
  BookingRequest,
  BookingRequestSeat,
  Offering,
  OfferingInstructor,
  OfferingResource,
} from '../scheduling/booking-requests.tables.ts'
import {
  AtRiskNotice,
  AtRiskRun,
  CalendarFeed,
  Closure,
  Reservation,
  ReservationAtRisk,
  RuleOverride,
  Seat,
} from '../scheduling/reservations.tables.ts'
import { WeatherCall, WeatherRequest, WeatherStation } from '../scheduling/weather.tables.ts'
import {
  SyllabusCredit,
  SyllabusLesson,
  SyllabusRequirement,
  SyllabusStage,
  SyllabusTask,
  SyllabusVersion,
  TrainingCourse,
} from '../training/courses.tables.ts'
import {
  CreditEntry,
  Endorsement,
  Enrollment,
  PlannedLesson,
  TrainingCertificate,
  TrainingGrant,
  TrainingRecord,
  TrainingTest,
} from '../training/enrollments.tables.ts'
import { subscriptions } from './subscriptions.ts'

/** Every entity of the service. The types of Kysely's tables are inferred from this list. */
export const entities = [
  BackupMark,
  Account,
  MailToken,
  PushDevice,
  SignInNetwork,
  Organization,
  DeletedOrganization,
  Invitation,
  JoinRequest,
  Membership,
  MemberProfile,
  Availability,
  TimeOff,
  Guest,
  MemberGroup,
  GroupMember,
  Location,
  Document,
  CurrencyRule,
  CurrencyRecord,
  CurrencyNotice,
  Resource,
  ResourceApproval,
  ResourceFile,
  Squawk,
  MaintenanceItem,
  MaintenanceLimit,
  MaintenanceSatisfaction,
  MaintenanceCompletion,
  MeterChange,
  Reservation,
  Seat,
  CalendarFeed,
  RuleOverride,
  Closure,
  Offering,
  OfferingResource,
  OfferingInstructor,
  BookingRequest,
  BookingRequestSeat,
  ConnectedAccount,
  ConnectionState,
  Confirmation,
  PayerStake,
  ChargeNotice,
  FlightLog,
  AutopayCharge,
  Invoice,
  CreditNote,
  Package,
  PackagePurchase,
  PackageUse,
  Payment,
  InvoiceItem,
  GatewayCustomer,
  GatewayEvent,
  GatewayLook,
  LedgerEntry,
  PayRun,
  PayLine,
  TrainingCourse,
  SyllabusVersion,
  SyllabusStage,
  SyllabusRequirement,
  SyllabusLesson,
  SyllabusTask,
  SyllabusCredit,
  Enrollment,
  PilotMinimumsRow,
  TrainingCertificate,
  PlannedLesson,
  TrainingRecord,
  CreditEntry,
  Endorsement,
  TrainingTest,
  TrainingGrant,
  Announcement,
  AnnouncementGroup,
  AnnouncementRead,
  ReportView,
  AnnouncementNotice,
  AnnouncementMailing,
  Notification,
  NotificationPreference,
  MailCount,
  EndedMail,
  WebhookEndpoint,
  WebhookEvent,
  WebhookDelivery,
  WebhookRate,
  Event,
  Operation,
  OperationRow,
  OperationFile,
  ImportFile,
  ImportRow,
  Outbox,
  JobMark,
  ReservationAtRisk,
  AtRiskRun,
  AtRiskNotice,
  Delivery,
  UndeliveredMail,
  IdempotencyKey,
  WeatherStation,
  WeatherCall,
  WeatherRequest,
] as const

declare module '../platform/db/database.ts' {
  interface Tables extends InferKyselyDB<(typeof entities)[number]> {}
}

/** Creates the service's database: the pool, and the ORM with every entity. Connects with the first statement. */
export function openDatabase(options: Omit<DatabaseOptions, 'entities' | 'subscribed'>): Promise<Database> {
  return connectDatabase({ ...options, entities, subscribed: subscribedKinds(subscriptions) })
}
