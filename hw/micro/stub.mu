// Until mutexes are written.
left_mutex:
        goto wait_ended
start_orphan:
        end
