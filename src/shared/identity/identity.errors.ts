import {
  conflict,
  defineErrors,
  forbidden,
  invalid,
  notFound,
  sentence,
  tooMany,
  unauthenticated,
} from '../platform/kernel/error-catalogue.ts'

/** The errors of accounts, members, organizations, locations and groups. */
export const identityErrors = defineErrors('identity', {
  linkUsed: invalid('This link has expired or was used already. Please ask for a new one.'),
  passwordShort: invalid('password: must have at least {minimum} characters'),
  passwordLong: invalid('password: must have at most {limit} characters'),
  signInWrong: unauthenticated('The email address or the password is not right.'),
  unknownMembers: invalid('orgUserIds: there is no member {ids}'),
  requestDecided: conflict('This request is {decision} already.', 'NOT_PENDING'),
  invitationUsed: invalid('This invitation has expired or was used already.'),
  isMember: invalid('email: this person is a member already', 'ALREADY_MEMBER'),
  contactsAreOwn: invalid('{field}: only the member can change it, because they have an account'),
  managedLeads: invalid('{field}: a member without an account is neither owner nor admin'),
  membersFull: tooMany('An organization has at most 100,000 members.'),
  locationInUse: invalid('{location} is still used by a {user}.'),
  invitationNotYours: forbidden(
    'This invitation is for another address. Please accept it with the account of that address.',
    'INVITATION_NOT_YOURS',
  ),
  mergeInstead: conflict(
    'You are a member of this organization already. Ask an admin to merge the two memberships.',
    'ALREADY_EXISTS',
  ),
  hasAccount: invalid('{field}: this member has an account'),
  rolesOfMember: invalid('{role}: the invitation grants the roles of the member; leave the flags out'),
  addressNeeded: invalid('email: is required, since the member has none'),
  youAreMember: invalid('You are a member of this organization already.', 'ALREADY_MEMBER'),
  joinedBefore: conflict('You are a member of this organization already.', 'ALREADY_EXISTS'),
  lastOwner: conflict(
    '{organization} would be left without an owner: make another member an owner, or delete the organization first.',
    'LAST_OWNER',
  ),
  unknownMember: invalid('{field}: there is no such member'),
  lacksRole: invalid('{field}: the member is not {roles}'),
  timeOffOfOthers: forbidden('Only desk staff can record time off for others.'),
  endBeforeStart: invalid('end: must be after start'),
  notGrounded: invalid('groundedReason: the member is not grounded'),
  notGroundedFor: invalid('groundedFor: the member is not grounded'),
  currencyInUse: conflict(
    'The currency cannot change any more: there are invoices, customers, packages or ledger entries.',
    'CURRENCY_IN_USE',
  ),
  noSuchMember: notFound('There is no such member.'),
  unknownLocation: invalid('{field}: there is no such location'),
  ownersForOwners: forbidden('Only an owner makes or removes an owner.'),
  passwordWeak: invalid('password: is too easy to guess. {advice}'),
  ownerNotAdmin: invalid('admin: an owner must also be an admin'),
  ownerNeeded: invalid('owner: the organization must keep an owner; make another member an owner first', 'LAST_OWNER'),
  adminNeeded: invalid('admin: the organization must keep an admin; make another member an admin first'),
  birthDateAhead: invalid('birthDate: must be in the past'),
  nothingToVerify: invalid('verify.{index}: there is nothing to verify'),
  profileOfOthers: forbidden(
    'Only admins, and registrars some fields of students and renters, can change the profiles of others; only admins change notes and citizenship.',
  ),
  verifiedByOthers: forbidden(
    'Only staff who may read a field can verify it, and only admins can verify their own profile.',
  ),
  intervalReversed: sentence('{field}: must be after startMinute'),
  intervalOverlaps: sentence('{field}: overlaps availability.{other} on the same day'),
  storageFull: tooMany('The storage of 20 GiB is full. Please delete some files first.'),
  dayFull: tooMany('At most 1 GiB of files can be uploaded in a day.'),
  passwordWrong: invalid('password: is not right'),
  signUpClosed: forbidden(
    'New accounts cannot be created here. Please ask the school for an invitation.',
    'SIGN_UP_CLOSED',
  ),
  registrarLimits: forbidden(
    'A registrar acts on members who are only student or renter, and changes the contacts of those without an account.',
  ),
  addressForAdmins: forbidden(
    'The member has bookings, money, documents or training. Only admins can change the address, because its owner can take over the membership.',
  ),
  claimForAdmins: forbidden(
    'The member has bookings, money, documents or training by now, and the address was given at the desk. Please ask an admin for an invitation.',
  ),
  profilesRead: tooMany('A registrar reads at most {limit} different profiles a day.'),
  ownGrant: invalid('orgUserId: an admin needs no grant, and nobody gives one to themself'),
  grantNeedsAccount: invalid('orgUserId: a member without an account cannot hold a grant'),
  grantNeedsRole: invalid('orgUserId: the member must be a dispatcher or an instructor'),
  billToOneself: invalid('billToOrgUserId: members pay for themselves without it'),
  billToHasPayer: invalid('billToOrgUserId: somebody else pays for this member'),
  billToPays: invalid('billToOrgUserId: the member pays for others'),
  billToNeedsPaper: invalid(
    'documentId: is required for a payer without an account: the document that the payer signed',
  ),
  billToIsPayers: forbidden('Only the payer can accept, because the payer has an account.'),
  proveAgain: forbidden('Please enter your password again: you signed in more than 15 minutes ago.', 'REAUTHENTICATE'),
})

/** The errors of a new password that is refused. */
export const passwordErrors = [identityErrors.passwordShort, identityErrors.passwordLong, identityErrors.passwordWeak]

/** The errors of files that exceed the limits on storage. */
export const roomErrors = [identityErrors.storageFull, identityErrors.dayFull]
