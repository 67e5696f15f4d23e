import { Migration } from '@mikro-orm/migrations'

/** Offers end by closures, and entries by the loss of a role. */
export class Migration20261127032500_offer_causes extends Migration {
  override up(): void {
    this.addSql(`
      alter table offer drop constraint offer_cause_check,
        add constraint offer_cause_check check (cause in ('booked', 'closed', 'entry_changed', 'entry_ended',
          'impossible', 'instructor', 'left', 'own_booking', 'recovery_ended', 'refused', 'role_lost'))`)
    this.addSql(`
      alter table waitlist_entry drop constraint waitlist_entry_end_cause_check,
        add constraint waitlist_entry_end_cause_check check (end_cause in ('booked', 'deleted', 'flown', 'left', 'over',
          'role_lost', 'silent'))`)
  }
}
