/** Protocols with numbers without end and many classes, counted by the interpreter over real numbers that has counted texts.ts. */
import type { Row } from './texts.js';

/** D. Ongaro, J. Ousterhout, "In search of an understandable consensus algorithm", 2014, section 5.2; `mail` has the terms of votes on their way. */
const RAFT_BY_MAIL = `
    model RaftByMail
    param N: 1 .. 64 = 3
    type Server = 1 .. N
    enum Role   = { follower, candidate, leader }
    var term:  nat[Server]           = 0
    var role:  Role[Server]          = follower
    var vote:  Server?[Server]       = none
    var votes: set of Server[Server] = {}
    var mail:  nat?[Server, Server]  = none
    process Campaign[i: Server] {
        loop {
            choose {
                timeout: when role[i] != leader {
                    term[i] := term[i] + 1;
                    role[i] := candidate;
                    vote[i] := i;
                    votes[i] := { i }
                }
            } or {
                win: when role[i] == candidate && 2 * len(votes[i]) > N { role[i] := leader; votes[i] := {} }
            }
        }
    }
    process Hear[i: Server, j: Server where i != j] {
        loop {
            choose {
                grant: when role[j] == candidate && (term[i] < term[j] || term[i] == term[j] && vote[i] == none) {
                    if term[i] < term[j] { role[i] := follower; term[i] := term[j]; votes[i] := {} }
                    vote[i] := j;
                    mail[i, j] := term[j]
                }
            } or {
                count: when mail[j, i] != none {
                    if role[i] == candidate && mail[j, i] == term[i] { votes[i] := votes[i] union { j } }
                    mail[j, i] := none
                }
            } or {
                follow: when role[j] == leader && (term[i] < term[j] || term[i] == term[j] && role[i] == candidate) {
                    if term[i] < term[j] { vote[i] := none; term[i] := term[j] }
                    role[i] := follower;
                    votes[i] := {}
                }
            }
        }
    }
    invariant oneLeader = forall i, j in Server where i != j:
        role[i] == leader && role[j] == leader implies term[i] != term[j]
    allow deadlock`;

/** L. Lamport, "Paxos made simple", 2001. A ballot is a number and its proposer, who takes the next one of its own. */
export const PAXOS = `
    model Paxos
    param P: 1 .. 64 = 2
    param N: 1 .. 64 = 2
    param V: 1 .. 64 = 2
    type Proposer = 1 .. P
    type Acceptor = 1 .. N
    type Value    = 1 .. V
    enum Phase = { idle, asking, proposing }
    var phase:      Phase[Proposer]           = idle
    var ballot:     nat[Proposer]             = 0
    var answered:   set of Acceptor[Proposer] = {}
    var best:       nat[Proposer]             = 0
    var bestBy:     Proposer?[Proposer]       = none
    var value:      Value?[Proposer]          = none
    var promised:   nat[Acceptor]             = 0
    var promisedBy: Proposer?[Acceptor]       = none
    var voted:      nat[Acceptor]             = 0
    var votedBy:    Proposer?[Acceptor]       = none
    var vote:       Value?[Acceptor]          = none
    var chosen:     Value?                    = none
    function isBelow(n: nat, by: Proposer?, m: nat, p: Proposer?): bool =
        n < m || n == m && p != none && (by == none || by < p)
    process Propose[p: Proposer] {
        loop {
            choose {
                ask: {
                    ballot[p] := ballot[p] + 1;
                    phase[p] := asking;
                    answered[p] := {};
                    best[p] := 0;
                    bestBy[p] := none;
                    value[p] := none
                }
            } or {
                choose v in Value {
                    propose: when phase[p] == asking && 2 * len(answered[p]) > N && (value[p] == none || value[p] == v) {
                        phase[p] := proposing;
                        value[p] := v;
                        answered[p] := {};
                        best[p] := 0;
                        bestBy[p] := none
                    }
                }
            }
        }
    }
    process Answer[a: Acceptor, p: Proposer] {
        loop {
            choose {
                promise: when phase[p] == asking && isBelow(promised[a], promisedBy[a], ballot[p], p) {
                    promised[a] := ballot[p];
                    promisedBy[a] := p;
                    answered[p] := answered[p] union { a };
                    if isBelow(best[p], bestBy[p], voted[a], votedBy[a]) {
                        best[p] := voted[a];
                        bestBy[p] := votedBy[a];
                        value[p] := vote[a]
                    }
                }
            } or {
                accept: when phase[p] == proposing && !(voted[a] == ballot[p] && votedBy[a] == p) &&
                        (isBelow(promised[a], promisedBy[a], ballot[p], p) || promised[a] == ballot[p] && promisedBy[a] == p) {
                    promised[a] := ballot[p];
                    promisedBy[a] := p;
                    voted[a] := ballot[p];
                    votedBy[a] := p;
                    vote[a] := value[p];
                    answered[p] := answered[p] union { a };
                    if 2 * len(answered[p]) > N {
                        assert chosen == none || chosen == value[p];
                        chosen := value[p]
                    }
                }
            }
        }
    }
    allow deadlock`;

export const LARGE_ROWS: readonly Row[] = [
    {
        name: 'Raft, votes by mail',
        text: RAFT_BY_MAIL,
        parameters: { N: 3 },
        isExact: false,
        all: [269_702, 2_967_726],
        reduced: [44_961, 494_684],
        kept: 1,
    },
    {
        name: 'Paxos',
        text: PAXOS,
        parameters: { N: 2 },
        isExact: false,
        all: [38_028, 193_143],
        reduced: [9721, 49_424],
        kept: 1,
    },
];

/** With the group alone. */
export const LARGEST_ROW = { text: PAXOS, parameters: { N: 3 }, reduced: [1_996_628, 13_172_447] } as const;
