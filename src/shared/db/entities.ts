import { Account, MailToken, PushDevice, SignInNetwork } from '../accounts/account.entity.ts'
import { Announcement, AnnouncementGroup, AnnouncementRead } from '../announcements/announcement.entity.ts'
import { BookingRequest, BookingRequestSeat } from '../booking-requests/booking-request.entity.ts'
import { Confirmation, PayerStake } from '../close-out/close-out.entity.ts'
import { CurrencyNotice, CurrencyRecord, CurrencyRule } from '../currencies/currency.entity.ts'
import { Delivery } from '../deliveries/delivery.table.ts'
import { Document } from '../documents/document.entity.ts'
import { GroupMember, MemberGroup } from '../groups/group.entity.ts'
import { ConnectedAccount, ConnectionState } from '../integrations/connected-account.entity.ts'
import { Invoice, InvoiceItem, ProcessorCustomer, ProcessorEvent } from '../invoices/invoice.entity.ts'
import { LedgerEntry } from '../ledger/ledger.entity.ts'
import { Location } from '../locations/location.entity.ts'
import { MaintenanceCompletion, MaintenanceReminder, Squawk } from '../maintenance/maintenance.entity.ts'
import { Availability, Guest, Membership, TimeOff } from '../members/membership.entity.ts'
import { Notification, NotificationPreference } from '../notifications/notification.entity.ts'
import { Offering, OfferingInstructor, OfferingResource } from '../offerings/offering.entity.ts'
import { Invitation, JoinRequest, Organization } from '../organizations/organization.entity.ts'
import { CalendarFeed } from '../reservations/calendar-feed.entity.ts'
import { Reservation, ReservationEvent, Seat } from '../reservations/reservation.entity.ts'
import { Resource, ResourceApproval } from '../resources/resource.entity.ts'
import { ResourceFile } from '../resources/resource-file.entity.ts'
import { TrainingCourse } from '../training/courses/course.entity.ts'
import {
  SyllabusCredit,
  SyllabusLesson,
  SyllabusRequirement,
  SyllabusStage,
  SyllabusTask,
  SyllabusVersion,
} from '../training/courses/syllabus.entity.ts'
import { Endorsement } from '../training/endorsements/endorsement.entity.ts'
import { Enrollment } from '../training/enrollments/enrollment.entity.ts'
import { TrainingGrant } from '../training/grants/grant.entity.ts'
import { CreditEntry, TrainingRecord } from '../training/records/record.entity.ts'
import { IdempotencyKey, Outbox } from './outbox.entity.ts'

/** Every entity of the service; the tables that Kysely knows are inferred from this list. */
export const entities = [
  Account,
  MailToken,
  PushDevice,
  SignInNetwork,
  Organization,
  Invitation,
  JoinRequest,
  Membership,
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
  MaintenanceReminder,
  MaintenanceCompletion,
  Reservation,
  Seat,
  ReservationEvent,
  CalendarFeed,
  Offering,
  OfferingResource,
  OfferingInstructor,
  BookingRequest,
  BookingRequestSeat,
  ConnectedAccount,
  ConnectionState,
  Confirmation,
  PayerStake,
  Invoice,
  InvoiceItem,
  ProcessorCustomer,
  ProcessorEvent,
  LedgerEntry,
  TrainingCourse,
  SyllabusVersion,
  SyllabusStage,
  SyllabusRequirement,
  SyllabusLesson,
  SyllabusTask,
  SyllabusCredit,
  Enrollment,
  TrainingRecord,
  CreditEntry,
  Endorsement,
  TrainingGrant,
  Announcement,
  AnnouncementGroup,
  AnnouncementRead,
  Notification,
  NotificationPreference,
  Outbox,
  Delivery,
  IdempotencyKey,
] as const
