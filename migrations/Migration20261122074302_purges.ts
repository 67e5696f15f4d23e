import { Migration } from '@mikro-orm/migrations'

/**
 * What the service deletes from tables on which it has no right to delete. Each function runs as the owner, deletes rows
 * of one kind only, a batch at a time: requests that nobody confirmed, and events that the processor no longer repeats,
 * however young the service says that they may be.
 */
export class Migration20261122074302_purges extends Migration {
  override up(): void {
    this.addSql(`
      create function purge_processor_events(before timestamptz, most integer) returns integer
        language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        purged integer;
      begin
        delete from processor_event where id = any(array(
          select id from processor_event where created_at < least(before, now() - interval '60 days')
          limit most for update skip locked));
        get diagnostics purged = row_count;
        return purged;
      end $$`)
    this.addSql(`
      create function purge_unconfirmed_requests(before timestamptz, most integer) returns integer
        language plpgsql security definer set search_path = public, pg_temp as $$
      declare
        purged integer;
      begin
        delete from booking_request where id = any(array(
          select id from booking_request
          where status = 'awaiting_confirmation' and created_at < before
          limit most for update skip locked));
        get diagnostics purged = row_count;
        return purged;
      end $$`)
    this.addSql('revoke all on function purge_processor_events from public')
    this.addSql('revoke all on function purge_unconfirmed_requests from public')
  }
}
