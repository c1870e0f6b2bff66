/* models/dining-philosophers.orbit for Spin; -DN=12 is the number of philosophers.
 *
 * A step of a philosopher together with a fork is one step of the philosopher here. A fork is a variable that says where
 * the fork process stands: 0 free, 1 with the philosopher of its own number, 2 with the one before.
 */
#ifndef N
#define N 5
#endif

#define RIGHT ((_pid + 1) % N)

byte fork[N];

active [N] proctype Phil() {
    do
    :: d_step { fork[RIGHT] == 0 -> fork[RIGHT] = 2 };
       d_step { fork[_pid] == 0 -> fork[_pid] = 1 };
       d_step { true -> skip };          /* eat */
       d_step { true -> fork[RIGHT] = 0 };
       d_step { true -> fork[_pid] = 0 }
    od
}
