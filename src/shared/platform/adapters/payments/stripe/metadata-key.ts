/** The metadata that carries our key: what tells the things we made from all others in the same Stripe account. */
export const KEY = 'flightlineKey'
