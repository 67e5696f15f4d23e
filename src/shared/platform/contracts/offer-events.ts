const offers = ['orgUserId', 'start', 'end', 'resourceId', 'waitlistEntryId'] as const

/** The kinds of events of the waiting list and of its offers. `how`: how an offer was answered in somebody's name. */
export const offerEvents = {
  'waitlist.entered': { subject: 'waitlist_entry', keys: ['orgUserId'] },
  'waitlist.ended': { subject: 'waitlist_entry', keys: ['orgUserId', 'cause'] },
  'offer.made': { subject: 'offer', keys: [...offers, 'expiresAt'], public: true },
  'offer.accepted': { subject: 'offer', keys: [...offers, 'reservationId', 'how'], public: true },
  'offer.declined': { subject: 'offer', keys: [...offers, 'how'], public: true },
  'offer.expired': { subject: 'offer', keys: offers, public: true },
  'offer.withdrawn': { subject: 'offer', keys: [...offers, 'cause', 'rules'], public: true },
} as const
