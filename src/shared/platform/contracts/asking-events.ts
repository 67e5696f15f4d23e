const offers = ['orgUserId', 'start', 'end', 'resourceId', 'waitlistEntryId'] as const

/** The kinds of events of booking requests, of the waiting list and of its offers. `how`: how an offer was answered in somebody's name. */
export const askingEvents = {
  'booking_request.submitted': { subject: 'booking_request', keys: [], public: true },
  'booking_request.approved': { subject: 'booking_request', keys: ['reservationId'], public: true },
  'booking_request.declined': { subject: 'booking_request', keys: [], public: true },
  'booking_request.cancelled': { subject: 'booking_request', keys: [] },
  'waitlist.entered': { subject: 'waitlist_entry', keys: ['orgUserId'] },
  'waitlist.ended': { subject: 'waitlist_entry', keys: ['orgUserId', 'cause'] },
  'offer.made': { subject: 'offer', keys: [...offers, 'expiresAt', 'partOf'], public: true },
  'offer.accepted': { subject: 'offer', keys: [...offers, 'reservationId', 'how'], public: true },
  // The history of a booking says by whom, for whom and how the offer was accepted that made or moved it.
  'reservation.offer_accepted': { subject: 'reservation', keys: ['offerId', 'onBehalfOf', 'how'] },
  'reservation.consent_given': { subject: 'reservation', keys: ['operationId', 'onBehalfOf', 'how'] },
  'offer.declined': { subject: 'offer', keys: [...offers, 'how'], public: true },
  'offer.expired': { subject: 'offer', keys: offers, public: true },
  'offer.withdrawn': { subject: 'offer', keys: [...offers, 'cause', 'rules'], public: true },
} as const
