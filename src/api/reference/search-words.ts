/** Words that say nothing about what is searched. */
const fillers = new Set(['a', 'an', 'the', 'to', 'of', 'for', 'in', 'on', 'with', 'my', 'how', 'do', 'i', 'and', 'is'])

/** What newcomers type, and the words that the interface uses for it. */
const otherWords: Record<string, readonly string[]> = {
  aircraft: ['resource'],
  airplane: ['aircraft', 'resource'],
  authentication: ['token', 'auth'],
  authenticate: ['token', 'auth'],
  authorization: ['token', 'roles'],
  bearer: ['token'],
  card: ['payUrl', 'paymentMethods'],
  checkout: ['rampOut'],
  conflict: ['clash', '409'],
  customer: ['member', 'payer'],
  delta: ['webhooks', 'updatedAt'],
  depart: ['rampOut'],
  departure: ['rampOut'],
  dispatch: ['rampOut', 'release'],
  double: ['clash'],
  feed: ['calendar'],
  finish: ['rampIn', 'close'],
  forbidden: ['403'],
  google: ['calendar'],
  hmac: ['signature'],
  hour: ['rate'],
  hourly: ['rate', 'wetRate'],
  ical: ['calendar'],
  inbox: ['mail'],
  landing: ['rampIn'],
  link: ['payUrl', 'url'],
  localhost: ['private'],
  login: ['signIn'],
  logout: ['signOut'],
  mirror: ['webhooks'],
  notification: ['webhook'],
  overlap: ['clash'],
  pagination: ['paging'],
  pay: ['payment', 'payUrl'],
  pilot: ['member', 'renter'],
  plane: ['aircraft', 'resource'],
  price: ['rate', 'cost', 'wetRate'],
  quota: ['limit'],
  rate: ['wetRate', 'instructionRates'],
  register: ['signUp'],
  retry: ['again'],
  role: ['roles'],
  sandbox: ['simulated', 'demo'],
  school: ['organization'],
  signature: ['sign'],
  signin: ['signIn'],
  signup: ['signUp'],
  simulator: ['simulated'],
  subscribe: ['webhook', 'calendar'],
  sync: ['webhooks', 'mirror'],
  synchronize: ['webhooks', 'mirror'],
  tariff: ['rate', 'cost'],
  tenant: ['organization'],
  throttle: ['429', 'limit'],
  unauthorized: ['401'],
  user: ['member'],
}

/** Returns the words of a search, each with the other words that stand for it; an entry has to have one of each. */
export function searchedWords(query: string): string[][] {
  const words = query
    .toLowerCase()
    .replace(/\blog (?=in\b|out\b)/g, 'log')
    .split(/\s+/)
  const typed = [...new Set(words.filter(Boolean))]
  const telling = typed.filter((word) => !fillers.has(word))
  return (telling.length > 0 ? telling : typed).map((word) => {
    const singular = /[a-z]{3}s$/.test(word) && !word.endsWith('ss') ? word.slice(0, -1) : word
    const others = otherWords[word] ?? otherWords[singular] ?? []
    return [...new Set([word, singular, ...others.map((other) => other.toLowerCase())])]
  })
}
