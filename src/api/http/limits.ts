export interface Limit {
  points: number
  seconds: number
  /** The limit counts completed work. A request that is refused for any reason does not count. */
  done?: true
  /** `RATE_LIMIT_FACTOR` does not multiply the limit. */
  fixed?: true
}

/** The rate limits. A factor multiplies all of them, for load tests. Implements interface §Limits. */
export const limits = {
  accountMinute: { points: 300, seconds: 60 },
  accountHour: { points: 5_000, seconds: 3_600 },
  /** Requests without a token, per network. */
  address: { points: 100, seconds: 300 },
  /** Pages, the OpenAPI document and `GET /health`, per network. */
  pages: { points: 300, seconds: 60 },
  /** Links that unsubscribe from mail, per network. */
  unsubscribing: { points: 30, seconds: 300 },
  /** Sign-in, sign-up, forgotten and reset passwords, each counted separately, per network. */
  credentialsNetwork: { points: 10, seconds: 900 },
  /**
   * Sign-in, sign-up, forgotten and reset passwords: per email address and network, and per email address from all
   * networks.
   */
  credentialsEmailNetwork: { points: 5, seconds: 900 },
  credentialsEmail: { points: 30, seconds: 900 },
  /** Sign-ins with the right password, per account and network. */
  signIns: { points: 30, seconds: 3_600 },
  /** For the warning about guessed passwords: wrong passwords per network and address, and such addresses per network. */
  guessedAddress: { points: 1, seconds: 3_600, fixed: true },
  guessedAddresses: { points: 20, seconds: 3_600, fixed: true },
  /** Wrong passwords of operators, per network. */
  operatorsNetwork: { points: 10, seconds: 900 },
  /** Wrong join codes, per account. */
  joinCode: { points: 20, seconds: 3_600 },
  /** Wrong passwords where a signed-in account has to enter its password again. */
  reauthentication: { points: 10, seconds: 900 },
  /** Created organizations, per account. */
  organizations: { points: 10, seconds: 86_400, done: true },
  /** Searches, per account. */
  search: { points: 60, seconds: 60 },
  /** Profiles of other members that are read, per account. */
  profiles: { points: 300, seconds: 3_600 },
  /** Members added one by one without an account: per organization, and per owner over all organizations of the owner. */
  managedMembers: { points: 500, seconds: 86_400, done: true },
  /** Merges of members: per organization, and per owner over all organizations of the owner. */
  merges: { points: 20, seconds: 86_400, done: true },
  /** Erasures of former members: per organization, and per owner over all organizations of the owner. */
  erasures: { points: 20, seconds: 86_400, done: true },
  /** Exports, per organization. */
  exports: { points: 2, seconds: 86_400, done: true },
  /** Exports of the data about an account, per account. */
  personExports: { points: 1, seconds: 86_400, done: true },
  /** Created closures, per account. */
  closures: { points: 60, seconds: 3_600, done: true },
  /** New entries of waiting lists, per account. */
  waitlistEntries: { points: 30, seconds: 3_600, done: true },
  /** Started bulk operations, per account. */
  bulks: { points: 120, seconds: 3_600, done: true },
  /**
   * Recoveries, searches for slots, and maintenance that displaces bookings: per organization, and per owner over all organizations of
   * the owner.
   */
  recoveries: { points: 20, seconds: 3_600, done: true },
  /** Restored bookings, per organization. */
  restores: { points: 120, seconds: 3_600, done: true },
  /** Decided cancellation fees, per organization. */
  fees: { points: 120, seconds: 3_600, done: true },
  /** Imports, per organization. */
  imports: { points: 40, seconds: 86_400, done: true },
  /** Reads of a calendar by its secret URL, per calendar. */
  calendar: { points: 60, seconds: 3_600 },
  /** Reports and charts that are read, per account. */
  reports: { points: 30, seconds: 3_600 },
  charts: { points: 60, seconds: 3_600 },
  /** Mails that another person requests, per address. */
  mailedAddress: { points: 5, seconds: 3_600 },
  /**
   * Invitations, including refused ones: per organization, per owner over all organizations of the owner, per account,
   * and per invited mailbox.
   */
  invitationsOrganizationHour: { points: 60, seconds: 3_600 },
  invitationsOrganizationDay: { points: 200, seconds: 86_400 },
  invitationsAccountHour: { points: 60, seconds: 3_600 },
  invitationsAccountDay: { points: 200, seconds: 86_400 },
  invitedAddressDay: { points: 3, seconds: 86_400 },
  /**
   * Pages on which a card is saved: per member, per organization, and per owner over all organizations of the owner.
   * The limit is low, because people who test stolen cards need many such pages.
   */
  cardSetupsMember: { points: 5, seconds: 86_400, done: true },
  cardSetupsOrganization: { points: 20, seconds: 86_400, done: true },
  /** Bought packages, per member. */
  packagesMember: { points: 5, seconds: 86_400 },
  /** Credit notes, and batches of invoices: per organization, and per owner over all organizations of the owner. */
  creditsOrganizationDay: { points: 100, seconds: 86_400 },
  /** Corrections of billed flights: per organization, and per owner over all organizations of the owner. */
  correctionsOrganizationDay: { points: 30, seconds: 86_400, done: true },
  invoiceBatches: { points: 10, seconds: 3_600, done: true },
  /** Rendered PDFs, per account. */
  pdfs: { points: 120, seconds: 3_600 },
  /** Requested uploads: per organization, and per owner over all organizations of the owner. */
  uploadsOrganizationDay: { points: 200, seconds: 86_400, done: true },
  uploadsOwnerDay: { points: 200, seconds: 86_400, done: true },
  /** Test events and replays of webhooks: per organization, and per owner over all organizations of the owner. */
  webhookTests: { points: 10, seconds: 3_600, done: true },
  webhookReplays: { points: 5, seconds: 86_400, done: true },
} satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** Returns whether a limit counts only completed work, not every request. */
export function countsDone(name: LimitName): boolean {
  const limit: Limit = limits[name]
  return limit.done === true
}
