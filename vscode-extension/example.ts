/** The model that the walkthrough opens: small, with a symmetry to see, a property to check and steps to read. */
export const EXAMPLE_MODEL = `/// Mutual exclusion by a ticket that goes round a ring.
model Ticket

/// The number of processes.
param N: 2 .. 16 = 4
type Proc = 0 .. N - 1

/// Who has the ticket.
var ticket: Proc = any

process P[i: Proc] {
    const next = (i + 1) mod N
    loop {
        enter: when ticket == i;
        leave: ticket := next
    }
}

/// At most one process is inside.
invariant mutex = count(i in Proc: P[i] at leave) <= 1
`;
